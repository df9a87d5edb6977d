import type { Column, PlacedCard, Shade } from '../day/columns';
import { intersect, minutesOf, type Span, without } from '../day/spans';
import type { TimeOff } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { MINUTES_A_DAY, minuteOn } from '../time/local-day';
import { moment } from '../time/zoned';
import { hoursText } from './hours';

/** One employee on one day of the team's week. */
export type Cell = {
  day: string;
  employeeId: string;
  working: Span[];
  off: Shade[];
  /** Time off that is not decided yet. */
  asked: Span[];
  /** What the salon calls its closing on that day; empty while it is open. */
  closed: string;
  /** The date has hours of its own, whatever the week says. */
  own: boolean;
  booked: Span[];
  /** Visits outside the employee's working time, except those squeezed in outside of hours. */
  outside: PlacedCard[];
};

export function cellOf(column: Column, zone: string, requests: readonly TimeOff[]): Cell {
  const { day, employeeId, working, hasOwnHours, shades, cards } = column;
  const open = without(
    [{ from: 0, to: MINUTES_A_DAY }],
    shades.filter(({ kind }) => kind === 'closed'),
  );
  return {
    day,
    employeeId,
    working,
    off: shades.filter(({ kind }) => kind === 'off'),
    asked: requests
      .filter((request) => request.employeeId === employeeId)
      .flatMap((request) => intersect(working, spanOn(request, day, zone))),
    closed: open.length === 0 ? (shades.find(({ kind }) => kind === 'closed')?.label ?? '') : '',
    own: hasOwnHours,
    booked: cards.flatMap((card) => without([{ from: card.from, to: card.to }], card.processing)),
    outside: cards.filter(({ stranded }) => stranded),
  };
}

/** What of a day time off takes. */
function spanOn({ startsAt, endsAt }: TimeOff, day: string, zone: string): Span[] {
  const [from, to] = [moment(startsAt), moment(endsAt)];
  if (!from || !to) return [];
  const span = { from: minuteOn(from, day, zone), to: minuteOn(to, day, zone) };
  return span.from < span.to ? [span] : [];
}

/** "9:00 – 17:00", "9:00 – 13:00, Holiday", "Not at work". */
export function cellText({ working, off, closed }: Cell): string {
  if (closed) return closed;
  const away = off[0]?.label;
  if (!away) return hoursText(working);
  return working.length > 0 ? `${hoursText(working)}, ${away}` : away;
}

/** The cell's label for screen readers. */
export function cellWords(cell: Cell): string {
  const { own, asked, outside } = cell;
  const words = [
    cellText(cell),
    own && 'hours of this date',
    asked.length > 0 && 'time off asked for',
    outside.length > 0 && outsideText(outside.length),
  ];
  return words.filter(Boolean).join(', ');
}

function outsideText(count: number): string {
  return count === 1 ? '1 visit outside' : `${count} visits outside`;
}

/** Minutes at work in the cells of one employee. */
export function workedMinutes(cells: readonly Cell[]): number {
  return cells.reduce((sum, { working }) => sum + minutesOf(working), 0);
}
