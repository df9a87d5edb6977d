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
const NEAR_DAYS = { today: 0, tomorrow: 1, yesterday: -1 };
/** Fewer letters begin too many words. */
const LEAST_LETTERS = 3;
/** "Tom" and "Tod" are names. */
const LEAST_LETTERS_OF_NEAR = 4;
/** "On Fri 27 Nov 2026". */
const MOST_WORDS = 5;
const DAY_MS = 86_400_000;

/** Days that a text may mean, the likeliest first, and what else it says. */
export type AskedDays = { days: string[]; rest: string };

/**
 * The days that a text names among other words, in any order: "Silva 27 Nov", "Friday Silva", "next Friday". As many
 * words as possible are read as the day.
 */
export function askedDays(text: string, today: string): AskedDays | undefined {
  const words = text.replace(/,/g, ' ').trim().split(/\s+/);
  for (let length = Math.min(MOST_WORDS, words.length); length > 0; length -= 1)
    for (let from = 0; from + length <= words.length; from += 1) {
      const days = daysNamed(plain(words.slice(from, from + length).join(' ')), today);
      if (days.length > 0)
        return { days, rest: [...words.slice(0, from), ...words.slice(from + length)].join(' ') };
    }
  return undefined;
}

/** The days that a text names with all its words. */
function daysNamed(text: string, today: string): string[] {
  const exact: string | null = text;
  if (isDay(exact)) return [exact];
  for (const [name, days] of Object.entries(NEAR_DAYS))
    if (text.length >= LEAST_LETTERS_OF_NEAR && name.startsWith(text)) return [dayAfter(today, days)];
  const [first = '', ...others] = text.split(' ');
  const which = others.length > 0 && /^(next|this|last|on)$/.test(first) ? first : '';
  const named = which ? others.join(' ') : text;
  const weekday = placeAmong(WEEKDAYS, named) + 1;
  if (weekday > 0) return weekdays(which, weekday, today);
  if (which && which !== 'on') return [];
  // "Fri 27 Nov": the date decides.
  const [before = '', ...date] = named.split(' ');
  return dates(placeAmong(WEEKDAYS, before) < 0 ? named : date.join(' '), today);
}

const placeAmong = (names: readonly string[], text: string): number =>
  text.length < LEAST_LETTERS ? -1 : names.findIndex((name) => name.startsWith(text));

function weekdays(which: string, weekday: number, today: string): string[] {
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  if (which === 'last') return [dayAfter(today, ahead - 7)];
  const coming = dayAfter(today, ahead || 7);
  // Some mean the coming one by it, others that of next week.
  if (which === 'next') return [...new Set([dayAfter(today, weekday - weekdayOf(today) + 7), coming])];
  return ahead === 0 ? [today, coming] : [coming];
}

/** "12 Dec", "Dec 12", "12/12" and "12.12.2026"; without a year the next, behind the last where that is nearer. */
function dates(text: string, today: string): string[] {
  const parts =
    /^(?<day>\d{1,2})(?:st|nd|rd|th)?[\s./-]*(?<month>[a-z]+)\.?(?:[\s./-]+(?<year>\d{4}))?$/.exec(text) ??
    /^(?<month>[a-z]+)\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?: (?<year>\d{4}))?$/.exec(text) ??
    /^(?<day>\d{1,2})[./-](?<month>\d{1,2})\.?(?:[./-](?<year>\d{4}))?$/.exec(text);
  const { day = '', month = '', year = '' } = parts?.groups ?? {};
  const at = /^\d/.test(month) ? Number(month) : placeAmong(MONTHS, month) + 1;
  if (!day || at < 1) return [];
  const of = (whole: number) => `${whole}-${String(at).padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (year) return [of(Number(year))].filter(isDay);
  const thisYear = Number(today.slice(0, 4));
  const candidates = [-1, 0, 1].map((years) => of(thisYear + years)).filter(isDay);
  const next = candidates.find((candidate) => candidate >= today);
  const last = candidates.findLast((candidate) => candidate < today);
  if (!next) return [];
  return last && distance(last, today) < distance(today, next) ? [last, next] : [next];
}

const distance = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS;
