import { LANGUAGE } from './language';
import { dateText } from './zoned';

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

const month = new Intl.DateTimeFormat(LANGUAGE, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "November 2026", of "2026-11". */
export function monthText(text: string): string {
  return month.format(new Date(`${text}-01T12:00Z`));
}

const short = new Intl.DateTimeFormat(LANGUAGE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const shortWithYear = new Intl.DateTimeFormat(LANGUAGE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "Tue 24 Nov", with the year when it is another than today's. */
export function listedDayText(day: string, today: string): string {
  const format = day.slice(0, 4) === today.slice(0, 4) ? short : shortWithYear;
  return format.format(new Date(`${day}T12:00Z`));
}

/** "5 Dec 2026", of a day of the calendar. */
export function shortDateText(day: string): string {
  return dateText(new Date(`${day}T12:00Z`), 'UTC');
}

/** "24 Dec 2026 – 2 Jan 2027", "3 – 4 Dec 2026": what both dates share is said once. */
export function datesText(first: string, last: string): string {
  const [from, to] = [shortDateText(first), shortDateText(last)];
  if (from === to) return from;
  const [day = '', month = '', year = ''] = from.split(' ');
  if (!to.endsWith(year)) return `${from} – ${to}`;
  return to.endsWith(`${month} ${year}`) ? `${day} – ${to}` : `${day} ${month} – ${to}`;
}

/** From when a week counts: "from 1 Feb 2027", "from the start". */
export function sinceText(effectiveFrom: string): string {
  return effectiveFrom ? `from ${shortDateText(effectiveFrom)}` : 'from the start';
}
