import type { Span } from './spans';

/** How far one start reaches towards the next, where none is nearer. */
const REACH = 15;

/** Where a visit may start, as stretches to be drawn: starts a step apart are one. */
export function startSpans(starts: readonly number[]): Span[] {
  const inOrder = [...new Set(starts)].sort((one, other) => one - other);
  return inOrder.reduce<Span[]>((spans, start) => {
    const last = spans.at(-1);
    if (last && start <= last.to) last.to = Math.max(last.to, start + REACH);
    else spans.push({ from: start, to: start + REACH });
    return spans;
  }, []);
}

/** The first free start in the step that was pointed at. */
export function startWithin(starts: readonly number[], minute: number, step: number): number | undefined {
  return starts
    .filter((start) => minute <= start && start < minute + step)
    .reduce<number | undefined>(
      (first, start) => (first === undefined || start < first ? start : first),
      undefined,
    );
}
