import type { Column, PlacedCard } from './columns';

const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];

/** The card that an arrow leads to: the one before or after in its column, or the nearest in time beside it. */
export function neighbourOf(columns: readonly Column[], key: string, arrow: string): PlacedCard | undefined {
  if (!ARROWS.includes(arrow)) return undefined;
  const at = columns.findIndex(({ cards }) => cards.some((card) => card.key === key));
  const cards = columns[at]?.cards ?? [];
  const index = cards.findIndex((card) => card.key === key);
  const card = cards[index];
  if (!card) return undefined;
  if (arrow === 'ArrowUp') return cards[index - 1];
  if (arrow === 'ArrowDown') return cards[index + 1];
  const beside = arrow === 'ArrowLeft' ? columns.slice(0, at).reverse() : columns.slice(at + 1);
  return nearest(beside.find((column) => column.cards.length > 0)?.cards ?? [], card.from);
}

function nearest(cards: readonly PlacedCard[], minute: number): PlacedCard | undefined {
  return cards.reduce<PlacedCard | undefined>(
    (best, card) => (!best || Math.abs(card.from - minute) < Math.abs(best.from - minute) ? card : best),
    undefined,
  );
}
