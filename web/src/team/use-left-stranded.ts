import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { openingHoursQuery } from '../business/queries';
import { columnsOf } from '../day/columns';
import { toBeMoved } from '../day/outside-hours';
import { TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { catalogueQuery, exceptionsQuery, visitsQuery } from '../schedule/queries';
import { instantOf } from '../time/local';
import { dayKey, moment } from '../time/zoned';
import { bookingPolicyQuery, timeOffFromQuery } from './queries';
import { chunksOf, MOST_DAYS, outsideOf, type Stranded } from './stranded';
import type { EmployeeHours } from './use-employee-hours';

const DAY_MS = 86_400_000;

/**
 * The visits of an employee from today on for which they are not at work, whatever came between: other
 * hours, time off, a day on which the salon is closed. No list of the contract has them: they are looked
 * for as far ahead as visits are booked.
 */
export function useLeftStranded(businessId: string, zone: string, today: string, employee: EmployeeHours) {
  const from = instantOf(today, 0, zone);
  const policy = useQuery(bookingPolicyQuery(businessId));
  const days = policy.data?.policy?.horizonDays ?? 0;
  const opening = useQuery(openingHoursQuery(businessId));
  const exceptions = useQuery(exceptionsQuery(businessId, today));
  const timeOff = useQuery(timeOffFromQuery(businessId, employee.id, from));
  const services = useQuery(catalogueQuery(businessId));
  const visits = useQueries({
    // Booked on the last day that was bookable today, some begin a day later tomorrow.
    queries: chunksOf(from, new Date(from.getTime() + (days + 1) * DAY_MS), MOST_DAYS).map(([first, last]) =>
      visitsQuery(businessId, first, last),
    ),
  });
  const reads: UseQueryResult<unknown>[] = [policy, opening, exceptions, timeOff, services, ...visits];
  const failed = reads.find(({ error }) => error);
  if (!policy.data || !opening.data || !exceptions.data || !timeOff.data || !services.data)
    return { failed, stranded: undefined };
  if (visits.some(({ data }) => data === undefined)) return { failed, stranded: undefined };
  const theirs = visits
    .flatMap(({ data }) => data ?? [])
    .filter(({ items }) => items.some(({ employeeId }) => employeeId === employee.id));
  const booked = new Set(
    theirs.flatMap(({ items }) => items.map(({ startsAt }) => dayKey(moment(startsAt) ?? from, zone))),
  );
  const columns = columnsOf(
    {
      zone,
      employees: [employee],
      catalogue: new Map(services.data.map((service) => [service.id, service])),
      visits: theirs,
      openingWeek: opening.data.spans,
      exceptions: exceptions.data,
      timeOff: timeOff.data.filter(({ state }) => state === TimeOffState.APPROVED),
      blocks: [],
      weeks: new Map([[employee.id, employee.weeks]]),
      dayHours: new Map([[employee.id, employee.days]]),
    },
    [...booked],
    employee.id,
  );
  const stranded: Stranded[] = toBeMoved(columns, new Date()).flatMap(outsideOf);
  return { failed: undefined, stranded };
}
