import { plain } from '../finding/words';
import { dayAfter } from '../time/local';
import { isDay, weekdayOf } from '../time/local-day';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** Fewer letters begin too many words. */
const LEAST_LETTERS = 3;

const named = (names: readonly string[], text: string): number =>
  text.length < LEAST_LETTERS ? -1 : names.findIndex((name) => name.startsWith(text));

/**
 * The day that a text names: "today", "tomorrow", a weekday to come, "12 Dec", "12/12", "2026-12-12". A day without a
 * year is the next one.
 */
export function askedDay(text: string, today: string): string | undefined {
  const words = plain(text).trim();
  const exact: string | null = words;
  if (isDay(exact)) return exact;
  if (words.length >= LEAST_LETTERS && 'today'.startsWith(words)) return today;
  if (words.length >= LEAST_LETTERS && 'tomorrow'.startsWith(words)) return dayAfter(today, 1);
  const weekday = named(WEEKDAYS, words);
  if (weekday >= 0) return dayAfter(today, ((weekday + 1 - weekdayOf(today) + 6) % 7) + 1);
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})(?:st|nd|rd|th)?[\s./-]+(\d{1,2}|[a-z]+)\.?(?:[\s./-]+(\d{4}))?$/.exec(words) ?? [];
  const at = /^\d/.test(month) ? Number(month) : named(MONTHS, month) + 1;
  const of = (whole: number) => `${whole}-${String(at).padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!day || at < 1) return undefined;
  const thisYear = Number(today.slice(0, 4));
  const candidates = year ? [of(Number(year))] : [of(thisYear), of(thisYear + 1)];
  return candidates.find((candidate) => isDay(candidate) && (year !== '' || candidate >= today));
}
