// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { PlacedCard } from '../../day/columns';

vi.mock('@dnd-kit/core', () => ({
  useDraggable: () => ({ setNodeRef: () => undefined, listeners: {}, isDragging: true }),
}));

const { useDragSource } = await import('./drag-source');

function Card({ movable }: { movable: boolean }) {
  const { ref, attributes, source } = useDragSource({ key: 'a' } as PlacedCard, 0, movable);
  return (
    <button type="button" ref={ref} {...attributes}>
      Card
      {source}
    </button>
  );
}

afterEach(cleanup);

it('is no longer dragged once it turns immovable during the drag', () => {
  const { rerender } = render(<Card movable />);
  const card = screen.getByRole('button');
  fireEvent.focus(card);
  expect(card.dataset.dragged).toBe('true');
  rerender(<Card movable={false} />);
  expect(card.dataset.dragged).toBeUndefined();
});
