import type { OpeningException } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import type { WeeklySpan } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { LANGUAGE } from '../time/language';
import { dayAfter } from '../time/local';
import { weekdayOf } from '../time/local-day';
import { dayKey, localMinute } from '../time/zoned';
import { type Span, spansOf } from './spans';

const MINUTES_A_DAY = 1440;
const DAYS = 7;
/** A closure lasts a year at most, and the week comes after it. */
const DAYS_AHEAD = 366 + DAYS;

export type Opening = { weekday: number; spans: { from: number; to: number }[] };

/** Monday to Sunday, each with its spans in order. */
export function weekOf(spans: WeeklySpan[]): Opening[] {
  return Array.from({ length: DAYS }, (_, index) => ({
    weekday: index + 1,
    spans: spans
      .filter((span) => span.weekday === index + 1)
      .map(({ fromMinute, toMinute }) => ({ from: fromMinute, to: toMinute }))
      .sort((one, other) => one.from - other.from),
  }));
}

/** The closure or the special hours of a day. */
export const exceptionOn = (
  exceptions: readonly OpeningException[],
  day: string,
): OpeningException | undefined =>
  exceptions.find(({ firstDate, lastDate }) => firstDate <= day && day <= lastDate);

export type OpenState =
  | { kind: 'open'; until: number }
  /** `inDays` counts from today; 0 is later today. */
  | { kind: 'closed'; opens: { inDays: number; day: string; at: number } }
  | { kind: 'never' };

/** Whether the doors are open at this instant there, and when that changes: a day's exception comes before its week. */
export function openState(
  spans: WeeklySpan[],
  exceptions: readonly OpeningException[],
  now: Date,
  zone: string,
): OpenState {
  const { minute } = localMinute(now, zone);
  const today = dayKey(now, zone);
  const week = weekOf(spans);
  const openOn = (day: string): Span[] => {
    const exception = exceptionOn(exceptions, day);
    return exception ? spansOf(exception.spans) : (week[weekdayOf(day) - 1]?.spans ?? []);
  };
  const current = openOn(today).find(({ from, to }) => from <= minute && minute < to);
  if (current) return { kind: 'open', until: current.to };
  for (let inDays = 0; inDays <= DAYS_AHEAD; inDays += 1) {
    const day = dayAfter(today, inDays);
    const next = openOn(day).find(({ from }) => inDays > 0 || from > minute);
    if (next) return { kind: 'closed', opens: { inDays, day, at: next.from } };
  }
  return { kind: 'never' };
}

/** Costly to make, and a day has hundreds of times. */
const clock = new Intl.DateTimeFormat(LANGUAGE, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });

/** A minute of the day; midnight at its end is 24:00's 0:00. */
export function minuteText(minute: number): string {
  return clock.format(new Date(Date.UTC(2024, 0, 1, 0, minute % MINUTES_A_DAY)));
}

export function weekdayName(weekday: number): string {
  // 1 January 2024 was a Monday.
  const date = new Date(Date.UTC(2024, 0, weekday));
  return new Intl.DateTimeFormat(LANGUAGE, { weekday: 'long', timeZone: 'UTC' }).format(date);
}
