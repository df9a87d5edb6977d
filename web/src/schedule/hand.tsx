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
import type { PlacedCard } from './columns';

/** The pressed or focused card, and its element. */
type HeldCard = { card: PlacedCard; column: number; node: RefObject<HTMLElement | null> };

/** What a drag takes along. */
export type Dragged = { held: RefObject<HeldCard | undefined> };

type Hand = {
  hold: (next: HeldCard) => void;
  /** Tells of a card that is drawn anew, maybe elsewhere: what is held of it is as it is now. */
  follow: (now: HeldCard) => void;
  letGo: (node: HeldCard['node']) => void;
  /** Hands an event of the held card on to what begins a drag. */
  feel: (name: string, event: SyntheticEvent, now: HeldCard) => void;
};

export type HandRef = RefObject<Hand | null>;

/** The one hand of a day: of hundreds of cards that took part in dragging, each would be told of every drag. */
export const HandContext = createContext<HandRef>({ current: null });

type Grip = { node: RefObject<HTMLButtonElement | null>; sensors: object };

/** Lets a card be taken by the hand: what its element listens for. */
export function useGrip(card: PlacedCard, column: number, movable: boolean): Grip {
  const hand = useContext(HandContext);
  const node = useRef<HTMLButtonElement>(null);
  const held = { card, column, node };
  useLayoutEffect(() => {
    if (movable) hand.current?.follow(held);
  });
  if (!movable) return { node, sensors: {} };
  const hold = () => hand.current?.hold(held);
  const feel = (name: string) => (event: SyntheticEvent) => hand.current?.feel(name, event, held);
  return {
    node,
    sensors: {
      // It comes before the events of a mouse and of a finger.
      onPointerDown: hold,
      onFocus: hold,
      onBlur: () => hand.current?.letGo(node),
      onMouseDown: feel('onMouseDown'),
      onTouchStart: feel('onTouchStart'),
      onKeyDown: feel('onKeyDown'),
    },
  };
}

/** Holds one card at a time, and the same for as long as it is dragged. */
export function TheHand({ hand }: { hand: HandRef }) {
  const held = useRef<HeldCard | undefined>(undefined);
  const listeners = useRef<DraggableSyntheticListeners>(undefined);
  const dragging = useRef(false);
  const [card, setCard] = useState<HeldCard>();
  useImperativeHandle(hand, () => {
    const hold = (next: HeldCard) => {
      held.current = next;
      setCard(next);
    };
    const holds = ({ card }: HeldCard) => held.current?.card.key === card.key;
    return {
      hold: (next) => dragging.current || hold(next),
      follow: (now) => {
        if (!holds(now)) return;
        const elsewhere = held.current?.node !== now.node;
        held.current = now;
        if (elsewhere) setCard((before) => before && now);
      },
      letGo: (node) => setCard((now) => (now?.node === node && !dragging.current ? undefined : now)),
      feel: (name, event, now) => {
        // A finger may have touched another card than the one that keys are for.
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
    // Said to the element itself: two hundred cards need not ask.
    element?.toggleAttribute('data-dragged', isDragging);
    return () => {
      dragging.current = false;
      element?.removeAttribute('data-dragged');
    };
  }, [node, dragging, isDragging]);
  return null;
}
