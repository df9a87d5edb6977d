import { useLayoutEffect, useRef } from 'react';
import { useSearch } from '../finding/use-search';
import { dayAfter } from '../time/local';
import { isDay } from '../time/local-day';

/** The day in the address, today without one, and the ways to others. */
export function useDay(today: string) {
  const [search, changeSearch] = useSearch();
  const asked = search.get('date');
  const day = isDay(asked) ? asked : today;
  const withDay = (before: URLSearchParams, date: string) => {
    const after = new URLSearchParams(before);
    if (date === today) after.delete('date');
    else after.set('date', date);
    return after;
  };
  // Keys come faster than pages: the next step goes on from the day that is on its way.
  const coming = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (coming.current === day) coming.current = undefined;
  });
  const goTo = (date: string) => {
    coming.current = date;
    changeSearch((before) => withDay(before, date));
  };
  return {
    day,
    goTo,
    step: (days: number) => goTo(dayAfter(coming.current ?? day, days)),
    toDate: (date: string) => `?${withDay(search, date)}`,
  };
}
