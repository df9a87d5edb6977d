import { useDraggable } from '@dnd-kit/core';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { PlacedCard } from '../../day/columns';

type DragSource = { card: PlacedCard; column: number };

/** The data of a drag, for dnd-kit. */
export type Dragged = { source: RefObject<DragSource> };

/** Makes a card draggable: the ref and the attributes of its element. */
export function useDragSource(card: PlacedCard, column: number, movable: boolean) {
  // While it is dragged, a card may change or come down in another column.
  const source = useRef<DragSource>({ card, column });
  useLayoutEffect(() => {
    source.current = { card, column };
  });
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: card.key,
    data: { source } satisfies Dragged,
    disabled: !movable,
  });
  return { ref: setNodeRef, attributes: { ...listeners, 'data-dragged': isDragging || undefined } };
}
