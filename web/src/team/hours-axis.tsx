import type { Span } from '../day/spans';
import type { Cell } from './cells';

type HoursAxisProps = { cell: Pick<Cell, 'working' | 'off' | 'asked' | 'booked' | 'outside'>; shown: Span };

/** For a picture of hours alone. */
export const NOTHING = { off: [], asked: [], booked: [], outside: [] };

/** A day as a line: at work, booked, away. What it says stands beside it in words. */
export function HoursAxis({ cell, shown }: HoursAxisProps) {
  const parts = (kind: string, spans: readonly Span[]) =>
    spans
      .map(({ from, to }) => ({ from: Math.max(from, shown.from), to: Math.min(to, shown.to) }))
      .filter(({ from, to }) => from < to)
      .map((span) => <span key={`${kind}${span.from}`} className={kind} style={placeOf(span, shown)} />);
  return (
    <span className="axis" aria-hidden>
      {parts('working', cell.working)}
      {parts('off', cell.off)}
      {parts('asked', cell.asked)}
      {parts('booked', cell.booked)}
      {parts('outside', cell.outside)}
    </span>
  );
}

function placeOf({ from, to }: Span, shown: Span) {
  const length = shown.to - shown.from;
  return { left: `${(100 * (from - shown.from)) / length}%`, width: `${(100 * (to - from)) / length}%` };
}
