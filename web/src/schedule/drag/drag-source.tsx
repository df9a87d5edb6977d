import { type DraggableSyntheticListeners, useDraggable } from '@dnd-kit/core';
import {
  createContext,
  type RefObject,
  type SyntheticEvent,
  useContext,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { PlacedCard } from '../../day/columns';

/** The pressed or focused card, and its element. */
type HeldCard = { card: PlacedCard; column: number; node: RefObject<HTMLElement | null> };

/** The data of a drag, for dnd-kit. */
export type Dragged = { held: RefObject<HeldCard | undefined> };

type Handle = {
  hold: (next: HeldCard) => void;
  /** Updates the held card after it was drawn again, possibly at another place. */
  update: (now: HeldCard) => void;
  release: (node: HeldCard['node']) => void;
  /** Forwards an event of the card to dnd-kit's listeners. */
  forward: (name: string, event: SyntheticEvent, now: HeldCard) => void;
};

export type DragSourceRef = RefObject<Handle | null>;

/** The only drag source of a day: with one per card, every drag would draw hundreds of cards again. */
export const DragSourceContext = createContext<DragSourceRef>({ current: null });

type DraggableElement = { node: RefObject<HTMLButtonElement | null>; handlers: object };

/** Makes a card draggable: the ref and the event handlers of its element. */
export function useDragSource(card: PlacedCard, column: number, movable: boolean): DraggableElement {
  const source = useContext(DragSourceContext);
  const node = useRef<HTMLButtonElement>(null);
  const held = { card, column, node };
  useLayoutEffect(() => {
    if (movable) source.current?.update(held);
  });
  if (!movable) return { node, handlers: {} };
  const hold = () => source.current?.hold(held);
  const forward = (name: string) => (event: SyntheticEvent) => source.current?.forward(name, event, held);
  return {
    node,
    handlers: {
      // Pointer events come before mouse and touch events.
      onPointerDown: hold,
      onFocus: hold,
      onBlur: () => source.current?.release(node),
      onMouseDown: forward('onMouseDown'),
      onTouchStart: forward('onTouchStart'),
      onKeyDown: forward('onKeyDown'),
    },
  };
}

/** Holds one card at a time, and keeps it while it is dragged. */
export function DragSource({ handle }: { handle: DragSourceRef }) {
  const held = useRef<HeldCard | undefined>(undefined);
  const listeners = useRef<DraggableSyntheticListeners>(undefined);
  const dragging = useRef(false);
  const [card, setCard] = useState<HeldCard>();
  useImperativeHandle(handle, () => {
    const hold = (next: HeldCard) => {
      held.current = next;
      setCard(next);
    };
    const holds = ({ card }: HeldCard) => held.current?.card.key === card.key;
    return {
      hold: (next) => dragging.current || hold(next),
      update: (now) => {
        if (!holds(now)) return;
        const elsewhere = held.current?.node !== now.node;
        held.current = now;
        if (elsewhere) setCard((before) => before && now);
      },
      release: (node) => setCard((now) => (now?.node === node && !dragging.current ? undefined : now)),
      forward: (name, event, now) => {
        // A touched card need not be the one that has the focus.
        if (!dragging.current && !(holds(now) && listeners.current)) flushSync(() => hold(now));
        listeners.current?.[name]?.(event);
      },
    };
  }, []);
  return (
    card && (
      <Held
        key={card.card.key}
        id={card.card.key}
        node={card.node}
        data={{ held }}
        listeners={listeners}
        dragging={dragging}
      />
    )
  );
}

type HeldProps = {
  id: string;
  node: HeldCard['node'];
  data: Dragged;
  listeners: RefObject<DraggableSyntheticListeners>;
  dragging: RefObject<boolean>;
};

function Held({ id, node, data, listeners, dragging }: HeldProps) {
  const { setNodeRef, listeners: heard, isDragging } = useDraggable({ id, data });
  useLayoutEffect(() => setNodeRef(node.current), [setNodeRef, node]);
  useLayoutEffect(() => {
    listeners.current = heard;
    return () => {
      listeners.current = undefined;
    };
  }, [listeners, heard]);
  useLayoutEffect(() => {
    const element = node.current;
    dragging.current = isDragging;
    // Set on the element itself, so that the other cards are not drawn again.
    element?.toggleAttribute('data-dragged', isDragging);
    return () => {
      dragging.current = false;
      element?.removeAttribute('data-dragged');
    };
  }, [node, dragging, isDragging]);
  return null;
}
