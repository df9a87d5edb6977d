import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { employeesQuery, openingHoursQuery } from '../business/queries';
import type { ScheduleData } from '../day/columns';
import type { StaffSchedule } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { dayAfter, instantOf } from '../time/local';
import {
  blocksQuery,
  catalogueQuery,
  exceptionsQuery,
  staffSchedulesQuery,
  timeOffQuery,
  visitsQuery,
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
  const from = instantOf(first, 0, zone);
  const to = instantOf(dayAfter(days.at(-1) ?? first, 1), 0, zone);
  const hours = useQuery(openingHoursQuery(businessId));
  const staff = useQuery(employeesQuery(businessId));
  const services = useQuery(catalogueQuery(businessId));
  const visits = useQuery(visitsQuery(businessId, from, to));
  const exceptions = useQuery(exceptionsQuery(businessId, first));
  const timeOff = useQuery(timeOffQuery(businessId, from));
  const blocks = useQuery(blocksQuery(businessId, from, to));
  const schedules = useQuery(staffSchedulesQuery(businessId, first, days.at(-1) ?? first));

  const essential: UseQueryResult<unknown>[] = [visits, staff, hours, services];
  const missing = essential.filter(({ data }) => data === undefined);
  const query = missing.find(({ error }) => error) ?? missing[0] ?? visits;
  const shading = [exceptions, timeOff, blocks, schedules];
  const waiting = shading.some((read) => read.data === undefined && !read.error);

  const data = useMemo((): ScheduleData | undefined => {
    if (!hours.data || !staff.data || !services.data || !visits.data || waiting) return undefined;
    const { employees } = staff.data;
    // The answer leaves out employees without any hours.
    const hoursOf = <T>(of: (schedule: StaffSchedule | undefined) => T[]) =>
      new Map(
        schedules.data
          ? employees.map(({ id }): [string, T[]] => [
              id,
              of(schedules.data.find(({ employeeId }) => employeeId === id)),
            ])
          : [],
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
      weeks: hoursOf((schedule) => schedule?.schedules ?? []),
      dayHours: hoursOf((schedule) => schedule?.days ?? []),
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
    schedules.data,
  ]);
  return { query, data, shadesFailed: shading.find(({ error }) => error)?.error };
}
