import { LANGUAGE } from '../time/language';
import { dateText } from '../time/zoned';

const long = new Intl.DateTimeFormat(LANGUAGE, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "Tuesday 24 November 2026", of a day of the calendar. */
export function longDayText(day: string): string {
  return long.format(new Date(`${day}T12:00Z`));
}

/** "5 Dec 2026", of a day of the calendar. */
export function shortDateText(day: string): string {
  return dateText(new Date(`${day}T12:00Z`), 'UTC');
}

/** From when a week counts: "from 1 Feb 2027", "from always". */
export function sinceText(effectiveFrom: string): string {
  return effectiveFrom ? `from ${shortDateText(effectiveFrom)}` : 'from always';
}
