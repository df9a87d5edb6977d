import type { MonthDay } from '../../gen/frontdesk/scheduling/v1/day_pb';
import { dayAfter } from '../../time/local';
import { weekdayOf } from '../../time/local-day';

/** "2026-12" of "2026-12-24". */
export const monthOf = (day: string): string => day.slice(0, 7);

/** The same day so many months later, or the last of a shorter month: "2026-01-31" and 1 is "2026-02-28". */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The month's weeks from Monday to Sunday; what belongs to other months is left empty. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const weeks: (string | null)[][] = [];
  for (let monday = dayAfter(first, 1 - weekdayOf(first)); ; monday = dayAfter(monday, 7)) {
    const week = Array.from({ length: 7 }, (_, index) => dayAfter(monday, index));
    if (!week.some((day) => monthOf(day) === month)) return weeks;
    weeks.push(week.map((day) => (monthOf(day) === month ? day : null)));
  }
}

const MOVES: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => dayAfter(day, -1),
  ArrowRight: (day) => dayAfter(day, 1),
  ArrowUp: (day) => dayAfter(day, -7),
  ArrowDown: (day) => dayAfter(day, 7),
  Home: (day) => dayAfter(day, 1 - weekdayOf(day)),
  End: (day) => dayAfter(day, 7 - weekdayOf(day)),
  PageUp: (day) => monthsAfter(day, -1),
  PageDown: (day) => monthsAfter(day, 1),
};

/** The day that a key leads to in a calendar; undefined for other keys. */
export const dayByKey = (day: string, key: string): string | undefined => MOVES[key]?.(day);

/** How full a day is. */
export type Load = {
  /** Of the time that can be booked; undefined where there is none. */
  percent: number | undefined;
  /** "62%", "Closed", or what the closure is called. */
  text: string;
  /** What follows the text where there is room: " booked". */
  unit: string;
  visits: number;
};

/** How full a day of one employee or of all is, as the salon's own figures say it. */
export function loadOf({ opening, bookableMinutes, bookedMinutes, visits }: MonthDay): Load {
  if (bookableMinutes > 0) {
    const percent = Math.round((100 * bookedMinutes) / bookableMinutes);
    return { percent, text: `${percent}%`, unit: ' booked', visits };
  }
  const isClosed = !opening || opening.spans.length === 0;
  const text = isClosed ? opening?.label || 'Closed' : 'No one free to book';
  return { percent: undefined, text, unit: '', visits };
}

export const visitsText = (visits: number): string => (visits === 1 ? '1 visit' : `${visits} visits`);
