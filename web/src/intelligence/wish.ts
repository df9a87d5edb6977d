import { LANGUAGE } from '../time/language';
import { dayAfter } from '../time/local';
import { isDay } from '../time/local-day';
import { daysBetween } from '../time/zoned';

/** First and last date, both in it. */
export type Dates = { first: string; last: string };

export const PRESETS = [
  ['4w', 'Last 4 weeks'],
  ['3m', '3 months'],
  ['12m', '12 months'],
  ['own', 'Other dates'],
] as const;
export type Preset = (typeof PRESETS)[number][0];

/** The dates, filters and view of the page, as in the address. */
export type Wish = { preset: Preset; dates: Dates; category: string; table: boolean };

/** Dates that one question may span. */
const MOST_DATES = 366;
const WEEKS_4 = 28;

export function wishOf(search: URLSearchParams, today: string): Wish {
  const [first, last, range] = [search.get('from'), search.get('to'), search.get('range')];
  const preset = first !== null || last !== null ? 'own' : (presetNamed(range) ?? '4w');
  return {
    preset,
    dates: preset === 'own' ? { first: first ?? '', last: last ?? '' } : datesOf(preset, today),
    category: search.get('category') ?? '',
    table: search.get('view') === 'table',
  };
}

/** The address of a wish; what it says of other things stays. */
export function searchOf({ preset, dates, category, table }: Wish, before: URLSearchParams): URLSearchParams {
  const after = new URLSearchParams(before);
  const put = (name: string, value: string) => (value ? after.set(name, value) : after.delete(name));
  put('range', preset === 'own' || preset === '4w' ? '' : preset);
  put('category', category);
  put('view', table ? 'table' : '');
  after.delete('from');
  after.delete('to');
  if (preset === 'own') {
    // Even when they are empty: these dates are chosen by hand.
    after.set('from', dates.first);
    after.set('to', dates.last);
  }
  return after;
}

const presetNamed = (name: string | null) =>
  PRESETS.map(([preset]) => preset).find((preset) => preset === name && preset !== 'own');

/** The dates of a preset, which end today. */
export function datesOf(preset: Exclude<Preset, 'own'>, today: string): Dates {
  const before = {
    '4w': dayAfter(today, -WEEKS_4),
    '3m': monthsBefore(today, 3),
    '12m': monthsBefore(today, 12),
  };
  return { first: dayAfter(before[preset], 1), last: today };
}

/** The same day of an earlier month, or that month's last day. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

export const lengthOf = ({ first, last }: Dates) => daysBetween(first, last) + 1;

/** As many dates right before. */
export function datesBefore(dates: Dates): Dates {
  return { first: dayAfter(dates.first, -lengthOf(dates)), last: dayAfter(dates.first, -1) };
}

/** Why these dates are invalid; null if they are valid. */
export function problemOf({ first, last }: Dates): string | null {
  if (!isDay(first) || !isDay(last)) return 'Choose both dates.';
  if (last < first) return 'The last date is before the first.';
  return lengthOf({ first, last }) > MOST_DATES ? 'Choose a year at most.' : null;
}

const dates = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: 'UTC' });

/** "26 Oct – 22 Nov 2026". */
export function datesText({ first, last }: Dates): string {
  return dates.formatRange(new Date(`${first}T00:00Z`), new Date(`${last}T00:00Z`));
}

/** "the 28 days before". */
export function beforeText(wanted: Dates): string {
  const days = lengthOf(wanted);
  return days === 1 ? 'the day before' : `the ${days} days before`;
}
