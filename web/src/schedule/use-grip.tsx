import { type DraggableSyntheticListeners, useDraggable } from '@dnd-kit/core';
import {
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { PlacedCard } from './columns';

type Grip = {
  node: RefObject<HTMLButtonElement | null>;
  /** What the card's element listens for. */
  sensors: Record<string, (event: SyntheticEvent) => void>;
  dragged: boolean;
  /** To be drawn beside the card. */
  grip: ReactNode;
};

/**
 * Takes a card by the hand. It takes part in dragging from being pressed or focused on: of hundreds that did from the
 * beginning, each would be told of every drag.
 */
export function useGrip(card: PlacedCard, column: number, movable: boolean): Grip {
  const node = useRef<HTMLButtonElement>(null);
  const listeners = useRef<DraggableSyntheticListeners>(undefined);
  const [held, setHeld] = useState(false);
  const [dragged, setDragged] = useState(false);
  const hand = (name: string) => (event: SyntheticEvent) => listeners.current?.[name]?.(event);
  const hold = () => setHeld(movable);
  return {
    node,
    sensors: {
      // It comes before the events of a mouse and of a finger.
      onPointerDown: hold,
      onFocus: hold,
      onBlur: () => setHeld(false),
      onMouseDown: hand('onMouseDown'),
      onTouchStart: hand('onTouchStart'),
      onKeyDown: hand('onKeyDown'),
    },
    dragged,
    grip: (held || dragged) && (
      <Held card={card} column={column} node={node} listeners={listeners} onDragged={setDragged} />
    ),
  };
}

type HeldProps = {
  card: PlacedCard;
  column: number;
  node: RefObject<HTMLElement | null>;
  listeners: RefObject<DraggableSyntheticListeners>;
  onDragged: (dragged: boolean) => void;
};

function Held({ card, column, node, listeners, onDragged }: HeldProps) {
  const { setNodeRef, listeners: heard, isDragging } = useDraggable({ id: card.key, data: { card, column } });
  useLayoutEffect(() => {
    setNodeRef(node.current);
    listeners.current = heard;
    return () => {
      listeners.current = undefined;
    };
  }, [setNodeRef, node, listeners, heard]);
  useLayoutEffect(() => onDragged(isDragging), [onDragged, isDragging]);
  return null;
}
