import { useQuery } from '@tanstack/react-query';
import { staffSchedulesQuery } from '../schedule/queries';
import { useServices } from '../services/use-services';
import { dayAfter } from '../time/local';

/** What an employee lacks to be booked. */
export type Missing = { hours: boolean; services: boolean };

/** As far ahead as the contract tells hours: an employee who begins later has hours from then on. */
const DAYS_AHEAD = 366;

/** What each employee lacks, as far as it is known. */
export function useMissing(businessId: string, today: string): (employeeId: string) => Missing {
  const { data: staff } = useQuery(staffSchedulesQuery(businessId, today, dayAfter(today, DAYS_AHEAD)));
  const { data, hasNextPage } = useServices(businessId);
  const services = hasNextPage ? undefined : data?.pages.flatMap((page) => page.services);
  const scheduled = new Set(
    staff
      ?.filter(({ schedules }) => schedules.some(({ spans }) => spans.length > 0))
      .map((one) => one.employeeId),
  );
  const skilled = new Set(services?.flatMap(({ employeeIds }) => employeeIds));
  return (id) => ({
    hours: staff !== undefined && !scheduled.has(id),
    services: services !== undefined && !skilled.has(id),
  });
}
