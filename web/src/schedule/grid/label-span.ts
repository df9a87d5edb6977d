import { type Span, without } from '../../day/spans';

/** Pixels that the label of shaded time takes: one line, and two in a narrow column. */
const ONE_LINE = 22;
const TWO_LINES = 42;

type Covering = Span & { buffers: readonly Span[] };

/**
 * Where the label of shaded time is read: below what covers its beginning, as the end of a visit that began before an
 * absence. Nothing, where no line of it has room.
 */
export function labelSpan(
  shade: Span,
  cards: readonly Covering[],
  hours: Span,
  pxPerMinute: number,
): Span | undefined {
  const shown = { from: Math.max(shade.from, hours.from), to: Math.min(shade.to, hours.to) };
  const covers = cards.flatMap(({ from, to, buffers }) => [{ from, to }, ...buffers]);
  const free = without([shown], covers).find(({ from, to }) => (to - from) * pxPerMinute >= ONE_LINE);
  return free && { from: free.from, to: Math.min(free.to, free.from + TWO_LINES / pxPerMinute) };
}
