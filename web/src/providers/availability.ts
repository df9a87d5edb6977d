import { joined, type Span } from '../day/spans';
import type { AvailabilitySpan, EmployeeAvailability } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { minutesText } from '../time/zoned';
import { minuteText } from './wording';

type Side = 'book' | 'system';

/** A stretch of one side's track. */
export type Block = Span & {
  /** `lacking` is free on the other side only. */
  kind: 'free' | 'only' | 'lacking' | 'unknown';
};

const HOUR = 60;
/** What is drawn where no one is free. */
const ORDINARY: Span = { from: 9 * HOUR, to: 17 * HOUR };
/** More hours than these get a mark every two or three of them. */
const CLOSE_HOURS = 5;
const WIDE_HOURS = 10;

/** The hours that hold all that is free on either side, in whole hours. */
export function shownHours(employees: readonly Pick<EmployeeAvailability, 'spans'>[]): Span {
  const spans = employees.flatMap((employee) => employee.spans);
  if (spans.length === 0) return ORDINARY;
  const from = Math.min(...spans.map(({ fromMinute }) => fromMinute));
  const to = Math.max(...spans.map(({ toMinute }) => toMinute));
  return { from: Math.floor(from / HOUR) * HOUR, to: Math.ceil(to / HOUR) * HOUR };
}

/** The hours that get a mark: few enough for a phone. */
export function markedHours({ from, to }: Span): number[] {
  const hours = (to - from) / HOUR;
  const step = hours <= CLOSE_HOURS ? HOUR : hours <= WIDE_HOURS ? 2 * HOUR : 3 * HOUR;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

/** What one side's track shows. */
export function blocksOf(
  { spans, fault }: Pick<EmployeeAvailability, 'spans' | 'fault'>,
  side: Side,
  shown: Span,
): Block[] {
  if (fault && side === 'system') return [{ ...shown, kind: 'unknown' }];
  return spans.map(({ fromMinute: from, toMinute: to, isFreeHere, isFreeThere }) => {
    if (fault || isFreeHere === isFreeThere) return { from, to, kind: 'free' };
    return { from, to, kind: (side === 'book') === isFreeHere ? 'only' : 'lacking' };
  });
}

/** "9:00 – 12:00, 13:00 – 17:00" of what is free on a side, or "not at all". */
export function freeText(spans: readonly AvailabilitySpan[], side: Side): string {
  const free = spans.filter((span) => (side === 'book' ? span.isFreeHere : span.isFreeThere));
  const stretches = joined(free.map(({ fromMinute: from, toMinute: to }) => ({ from, to })));
  return stretches.map(spanText).join(', ') || 'not at all';
}

export function spanText({ from, to }: Span): string {
  return `${minuteText(from)} – ${minuteText(to)}`;
}

/** The stretches in which the sides differ, by where each is free. */
export function differencesOf(spans: readonly AvailabilitySpan[]): Record<Side, Span[]> {
  const only = (side: Side) =>
    spans
      .filter((span) => span.isFreeHere !== span.isFreeThere && (side === 'book') === span.isFreeHere)
      .map(({ fromMinute: from, toMinute: to }) => ({ from, to }));
  return { book: only('book'), system: only('system') };
}

/** How the day compares as a whole: "2 of 5 employees differ, by 1 h 30 min in all." */
export function summaryText(
  employees: readonly Pick<EmployeeAvailability, 'fault' | 'differenceMinutes'>[],
): string {
  const known = employees.filter(({ fault }) => !fault);
  if (known.length === 0) return '';
  const differing = known.filter(({ differenceMinutes }) => differenceMinutes > 0);
  const unknown = employees.length - known.length;
  const rest = unknown === 0 ? '' : ` ${unknown} could not be compared.`;
  if (differing.length === 0) {
    return known.length === 1
      ? `The one compared is free at the same times on both sides.${rest}`
      : `All ${known.length} compared are free at the same times on both sides.${rest}`;
  }
  const minutes = differing.reduce((sum, { differenceMinutes }) => sum + differenceMinutes, 0);
  const who = `${differing.length} of ${known.length} ${known.length === 1 ? 'employee' : 'employees'}`;
  return `${who} ${differing.length === 1 ? 'differs' : 'differ'}, by ${minutesText(minutes)} in all.${rest}`;
}

/** Why no side there is known, where it is the same for everyone: it is said once. */
export function commonFault(employees: readonly Pick<EmployeeAvailability, 'fault'>[]): string {
  const [first] = employees;
  return first && employees.every(({ fault }) => fault === first.fault) ? first.fault : '';
}

/** A system that is away is left alone for some seconds: asking it sooner would only say so again. */
const AWAY_MS = 10_000;

/** How soon to compare again: a side that is unknown may come back. */
export const awayInterval = (
  employees: readonly Pick<EmployeeAvailability, 'fault'>[] | undefined,
): number | false => (employees?.some(({ fault }) => fault) ? AWAY_MS : false);
