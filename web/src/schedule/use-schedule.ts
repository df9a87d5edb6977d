import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { employeesQuery, openingHoursQuery } from '../businesses/queries';
import type { ScheduleData } from './columns';
import { addDays, instantAt } from './local-day';
import {
  blocksQuery,
  catalogueQuery,
  dayHoursQuery,
  exceptionsQuery,
  timeOffQuery,
  visitsQuery,
  weeksQuery,
} from './queries';

export type Schedule = {
  /** The read that decides what the page shows: the one that failed, else one on its way. */
  query: UseQueryResult<unknown>;
  data: ScheduleData | undefined;
  /** Something that only shades the days can't be read. */
  shadesFailed: unknown;
};

/** Everything that is drawn of some days in a row. */
export function useSchedule(businessId: string, days: readonly string[], zone: string): Schedule {
  const first = days[0] ?? '';
  const from = instantAt(first, 0, zone);
  const to = instantAt(addDays(days.at(-1) ?? first, 1), 0, zone);
  const hours = useQuery(openingHoursQuery(businessId));
  const staff = useQuery(employeesQuery(businessId));
  const services = useQuery(catalogueQuery(businessId));
  const visits = useQuery(visitsQuery(businessId, from, to));
  const exceptions = useQuery(exceptionsQuery(businessId, first));
  const timeOff = useQuery(timeOffQuery(businessId, from));
  const blocks = useQuery(blocksQuery(businessId, from, to));
  const ids = staff.data?.employees.map(({ id }) => id) ?? [];
  const weeks = useQueries({ queries: ids.map((id) => weeksQuery(businessId, id)), combine });
  const dayHours = useQueries({ queries: ids.map((id) => dayHoursQuery(businessId, id, first)), combine });

  const essential: UseQueryResult<unknown>[] = [visits, staff, hours, services];
  const missing = essential.filter(({ data }) => data === undefined);
  const query = missing.find(({ error }) => error) ?? missing[0] ?? visits;
  const shading = [exceptions, timeOff, blocks, weeks, dayHours];
  const waiting = shading.some((read) => read.data === undefined && !read.error);

  const data = useMemo((): ScheduleData | undefined => {
    if (!hours.data || !staff.data || !services.data || !visits.data || waiting) return undefined;
    const { employees } = staff.data;
    const byEmployee = <T>(lists: readonly (T[] | undefined)[] | undefined) =>
      new Map(
        employees.flatMap(({ id }, index): [string, T[]][] => {
          const list = lists?.[index];
          return list ? [[id, list]] : [];
        }),
      );
    return {
      zone,
      employees,
      catalogue: new Map(services.data.map((service) => [service.id, service])),
      visits: visits.data,
      openingWeek: hours.data.spans,
      exceptions: exceptions.data ?? [],
      timeOff: timeOff.data ?? [],
      blocks: blocks.data ?? [],
      weeks: byEmployee(weeks.data),
      dayHours: byEmployee(dayHours.data),
    };
  }, [
    zone,
    waiting,
    hours.data,
    staff.data,
    services.data,
    visits.data,
    exceptions.data,
    timeOff.data,
    blocks.data,
    weeks.data,
    dayHours.data,
  ]);
  return { query, data, shadesFailed: shading.find(({ error }) => error)?.error };
}

/** Many reads of one kind as one. */
function combine<T>(results: UseQueryResult<T>[]): {
  data: (T | undefined)[] | undefined;
  error: Error | null;
} {
  const error = results.find((result) => result.error)?.error ?? null;
  const waits = results.some(({ data, isPending }) => data === undefined && isPending);
  return { data: waits ? undefined : results.map(({ data }) => data), error };
}
