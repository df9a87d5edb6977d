import type { Span } from './spans';

/** The clock of a column: what its top shows, how long a minute is, and in which steps one can point. */
export type PointScale = { from: number; pxPerMinute: number; snap: number };

/** The step of the clock that lies so many pixels below a column's top. */
export function pointedMinute(y: number, { from, pxPerMinute, snap }: PointScale): number {
  return from + Math.floor(y / pxPerMinute / snap) * snap;
}

/** The steps between two places, either way round, those of both ends included. */
export function selectedSpan(one: number, other: number, scale: PointScale, within: Span): Span {
  const [top, bottom] = [Math.min(one, other), Math.max(one, other)];
  const from = Math.max(within.from, pointedMinute(top, scale));
  const to = Math.min(within.to, pointedMinute(bottom, scale) + scale.snap);
  return { from, to: Math.max(to, from + scale.snap) };
}
