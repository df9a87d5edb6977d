import { LANGUAGE } from './language';
import { dayAfter } from './local';
import { dayKey, localMinute } from './zoned';

/** Days of the calendar ("2026-03-29") and minutes on a salon's wall clock, and the instants they are. */

export const MINUTES_A_DAY = 1440;

/** Whether a text names a day of the calendar. */
export function isDay(text: string | null): text is string {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** ISO: 1 Monday to 7 Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay() || 7;
}

/** Monday to Sunday around a day. */
export function weekAround(day: string): string[] {
  const monday = dayAfter(day, 1 - weekdayOf(day));
  return Array.from({ length: 7 }, (_, index) => dayAfter(monday, index));
}

/** Minutes after a day's midnight there, 0 for what lies before it and 1440 for what lies after. */
export function minuteOn(date: Date, day: string, zone: string): number {
  const there = dayKey(date, zone);
  if (there === day) return localMinute(date, zone).minute;
  return there < day ? 0 : MINUTES_A_DAY;
}

const shortDay = new Intl.DateTimeFormat(LANGUAGE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** "Tue 24 Nov", where seven stand side by side. */
export function shortDayText(day: string): string {
  return shortDay.format(new Date(`${day}T00:00Z`));
}

/** The minute that a time field holds; undefined for none. */
export function minuteOfClock(text: string): number | undefined {
  const parts = /^(\d{2}):(\d{2})/.exec(text);
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : undefined;
}
