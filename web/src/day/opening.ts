import type { WeeklySpan } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { LANGUAGE } from '../time/language';
import { localMinute } from '../time/zoned';

const MINUTES_A_DAY = 1440;
const DAYS = 7;

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

export type OpenState =
  | { kind: 'open'; until: number }
  /** `inDays` counts from today; 0 is later today. */
  | { kind: 'closed'; opens: { inDays: number; weekday: number; at: number } }
  | { kind: 'never' };

/** Whether the doors are open at this instant there, and when that changes. */
export function openState(spans: WeeklySpan[], now: Date, zone: string): OpenState {
  const { weekday, minute } = localMinute(now, zone);
  const week = weekOf(spans);
  const current = week[weekday - 1]?.spans.find(({ from, to }) => from <= minute && minute < to);
  if (current) return { kind: 'open', until: current.to };
  for (let inDays = 0; inDays <= DAYS; inDays += 1) {
    const day = week[(weekday - 1 + inDays) % DAYS];
    const next = day?.spans.find(({ from }) => inDays > 0 || from > minute);
    if (day && next) return { kind: 'closed', opens: { inDays, weekday: day.weekday, at: next.from } };
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
