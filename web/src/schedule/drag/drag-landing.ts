import type { Span } from '../../day/spans';
import { MINUTES_A_DAY } from '../../time/local-day';

export type Scale = { pxPerMinute: number; snap: number };

/** Where a dragged card would land. */
export function landing(
  card: Span,
  column: number,
  delta: { x: number; y: number },
  { pxPerMinute, snap }: Scale,
  { width, count }: { width: number; count: number },
): { column: number; from: number } {
  const wanted = card.from + delta.y / pxPerMinute;
  // Untouched it stays where it is, on the raster or not.
  const from = Math.abs(wanted - card.from) < snap / 2 ? card.from : Math.round(wanted / snap) * snap;
  const aside = width > 0 ? Math.round(delta.x / width) : 0;
  return {
    column: clamp(column + aside, 0, count - 1),
    from: clamp(from, 0, MINUTES_A_DAY - (card.to - card.from)),
  };
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
