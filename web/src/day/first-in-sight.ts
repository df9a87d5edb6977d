import { type Column, shownHours } from './columns';
import type { Span } from './spans';

/** Minutes around the present, or around the edges of the day's work, that are in sight as well. */
const BESIDE = 45;
const HOUR = 60;

/** From the first to the last minute in which an employee works or a visit is booked; the shown hours without either. */
export function workOf(columns: readonly Column[]): Span {
  const spans = columns.flatMap(({ working, cards }) => [...working, ...cards]);
  if (spans.length === 0) return shownHours(columns);
  return {
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  };
}

/**
 * The minute at the upper edge of a day that opens, of which `room` minutes fit into sight: the present with a little
 * of what was before. Before the day's work its first hour is in sight, after it the last.
 */
export function firstInSight(now: number, work: Span, room: number): number {
  const beside = Math.min(BESIDE, Math.max(0, room - HOUR));
  if (now > work.to) return Math.min(work.to - HOUR, work.to + beside - room);
  return Math.max(now, work.from) - beside;
}
