import { dayAfter } from '../time/local';
import type { Days } from './days-fields';

const DAYS_BEFORE = 7;
const DAYS_AFTER = 14;

/** The days on which the customer of a visit would probably come instead: around its own day, from today on. */
export function usualDays(visitDay: string, today: string): Days {
  const day = visitDay > today ? visitDay : today;
  const before = dayAfter(day, -DAYS_BEFORE);
  return { first: before > today ? before : today, last: dayAfter(day, DAYS_AFTER) };
}
