import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Span, spansOf } from '../day/spans';
import { dayQuery } from '../schedule/queries';
import { isDay } from '../time/local-day';
import { dayHoursQuery } from './queries';

/** What the week says of a date, and the hours that the date has of its own, if it has any. */
export type HoursOn = { weekly: Span[]; own: Span[] | undefined };

/** The hours of an employee on a date. Nothing is read before there is one. */
export function useHoursOn(
  businessId: string,
  employeeId: string,
  date: string,
): { query: UseQueryResult<unknown>; hours: HoursOn | undefined } {
  const day = useQuery({ ...dayQuery(businessId, date, date, employeeId), enabled: isDay(date) });
  const column = day.data?.columns[0];
  const hasOwn = column?.hasOwnHours ?? false;
  const days = useQuery({ ...dayHoursQuery(businessId, employeeId, date), enabled: hasOwn });
  const hours = useMemo((): HoursOn | undefined => {
    if (!column || (hasOwn && !days.data)) return undefined;
    const own = hasOwn ? days.data?.find((one) => one.date === date) : undefined;
    return { weekly: spansOf(column.weekly), own: own && spansOf(own.spans) };
  }, [column, hasOwn, days.data, date]);
  return { query: hasOwn ? days : day, hours };
}
