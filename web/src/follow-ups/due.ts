import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { clockOf, instantOf, minuteOf } from '../time/local';
import { dateAndTime, dateText, dayKey, dayName, daysBetween, localMinute, timeOfDay } from '../time/zoned';

/** Until when, as two fields hold it; both empty where there is no hurry. */
export type DueFields = { day: string; time: string };

/** A day without a time is due when most salons have closed. */
const END_OF_DAY = 18 * 60;

/** What the fields say, in the salon's zone. */
export function dueOf({ day, time }: DueFields, zone: string): Timestamp | undefined {
  return day ? timestampFromDate(instantOf(day, minuteOf(time) ?? END_OF_DAY, zone)) : undefined;
}

/** The fields of what is due already. */
export function dueFields(dueAt: Timestamp | undefined, zone: string): DueFields {
  if (!dueAt) return { day: '', time: '' };
  const date = timestampDate(dueAt);
  return { day: dayKey(date, zone), time: clockOf(localMinute(date, zone).minute) };
}

export type DueText = { text: string; overdue: boolean };

/** "Due today, 15:00", as the salon's clock shows it. */
export function dueText(dueAt: Timestamp | undefined, zone: string, now: Date): DueText | undefined {
  if (!dueAt) return undefined;
  const date = timestampDate(dueAt);
  const overdue = date.getTime() < now.getTime();
  const when = isNear(date, zone, now)
    ? `${dayName(date, zone, now).toLowerCase()}, ${timeOfDay(date, zone)}`
    : dateAndTime(date, zone);
  return { text: `${overdue ? 'Was due' : 'Due'} ${when}`, overdue };
}

/** "Today, 15:00": when something came; the date of an earlier day. */
export function cameText(at: Timestamp | undefined, zone: string, now: Date): string {
  if (!at) return '';
  const date = timestampDate(at);
  return isNear(date, zone, now)
    ? `${dayName(date, zone, now)}, ${timeOfDay(date, zone)}`
    : dateAndTime(date, zone);
}

/** Whether a day is said by its name rather than its date. */
const isNear = (date: Date, zone: string, now: Date): boolean =>
  Math.abs(daysBetween(dayKey(now, zone), dayKey(date, zone))) <= 1;

/** "Due 3 Dec 2026", where any time of that day will do. */
export function dueDayText(day: string, zone: string, now: Date): DueText {
  const today = dayKey(now, zone);
  const overdue = day < today;
  const when = day === today ? 'today' : dateText(new Date(`${day}T12:00Z`), 'UTC');
  return { text: `${overdue ? 'Was due' : 'Due'} ${when}`, overdue };
}
