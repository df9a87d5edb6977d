import { type DraggableSyntheticListeners, useDraggable } from '@dnd-kit/core';
import { type RefObject, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import type { PlacedCard } from '../../day/columns';

type Place = { card: PlacedCard; column: number };

/** The data of a drag, for dnd-kit. */
export type Dragged = { source: RefObject<Place> };

/** The card that was pressed or focused last: where it comes down it is another element, which the keyboard goes on with. */
let lastHeld = '';

/**
 * Makes a card draggable once it is pressed or has the focus. Each draggable is rendered again whenever a drag begins
 * or ends, and a day has hundreds of cards.
 */
export function useDragSource(card: PlacedCard, column: number, movable: boolean) {
  const ref = useRef<HTMLButtonElement>(null);
  const listeners = useRef<DraggableSyntheticListeners>(undefined);
  const [held, setHeld] = useState(() => card.key === lastHeld);
  const [dragged, setDragged] = useState(false);
  const hold = () => {
    lastHeld = card.key;
    setHeld(true);
  };
  const pass = (name: string) => (event: SyntheticEvent) => listeners.current?.[name]?.(event);
  return {
    ref,
    attributes: {
      // Before the events by which a drag begins.
      onPointerDown: hold,
      onFocus: hold,
      onMouseDown: pass('onMouseDown'),
      onTouchStart: pass('onTouchStart'),
      onKeyDown: pass('onKeyDown'),
      'data-dragged': dragged || undefined,
    },
    source: held && movable && (
      <Source card={card} column={column} element={ref} listeners={listeners} onDragged={setDragged} />
    ),
  };
}

type SourceProps = Place & {
  element: RefObject<HTMLElement | null>;
  /** Takes what begins a drag. */
  listeners: RefObject<DraggableSyntheticListeners>;
  onDragged: (dragged: boolean) => void;
};

/** A card's part in dragging. */
function Source({ card, column, element, listeners, onDragged }: SourceProps) {
  // While it is dragged, a card may change or come down in another column.
  const source = useRef<Place>({ card, column });
  const drag = useDraggable({ id: card.key, data: { source } satisfies Dragged });
  const { setNodeRef, isDragging } = drag;
  useLayoutEffect(() => {
    source.current = { card, column };
    listeners.current = drag.listeners;
  });
  useLayoutEffect(() => {
    setNodeRef(element.current);
    return () => {
      listeners.current = undefined;
    };
  }, [setNodeRef, element, listeners]);
  useLayoutEffect(() => {
    onDragged(isDragging);
    // A live change can make the card immovable while it is dragged.
    return () => onDragged(false);
  }, [isDragging, onDragged]);
  return null;
}
