import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { employeesOf, type ScheduleData } from '../day/columns';
import type { BusySource } from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import { catalogueQuery, dayQuery } from './queries';

export type Schedule = {
  /** The read that decides what the page shows: the one that failed, else one on its way. */
  query: UseQueryResult<unknown>;
  data: ScheduleData | undefined;
  /** The calendars that it depends on. */
  sources: readonly BusySource[];
};

const NO_SOURCES: readonly BusySource[] = [];

/** Everything that is drawn of some days in a row. */
export function useSchedule(businessId: string, days: readonly string[]): Schedule {
  const first = days[0] ?? '';
  const day = useQuery(dayQuery(businessId, first, days.at(-1) ?? first));
  const services = useQuery(catalogueQuery(businessId));

  const missing: UseQueryResult<unknown>[] = [day, services].filter(({ data }) => data === undefined);
  const query = missing.find(({ error }) => error) ?? missing[0] ?? day;

  const data = useMemo((): ScheduleData | undefined => {
    if (!day.data || !services.data) return undefined;
    const { timeZone, days, columns, visits, blocks, maySqueezeIn } = day.data;
    return {
      zone: timeZone,
      employees: employeesOf(columns),
      catalogue: new Map(services.data.map((service) => [service.id, service])),
      days,
      columns,
      visits,
      blocks,
      maySqueezeIn,
    };
  }, [day.data, services.data]);
  return { query, data, sources: day.data?.sources ?? NO_SOURCES };
}
