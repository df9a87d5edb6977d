import { useQuery } from '@tanstack/react-query';
import { staffSchedulesQuery } from '../schedule/queries';
import { dayAfter } from '../time/local';

/** As far ahead as the contract tells hours. */
const DAYS_AHEAD = 366;

/** Whether an employee has neither a week nor a day of hours from today on, as far as it is known. */
export function useNoHours(businessId: string, today: string): (employeeId: string) => boolean {
  const { data: staff } = useQuery(staffSchedulesQuery(businessId, today, dayAfter(today, DAYS_AHEAD)));
  const set = new Set(
    staff
      ?.filter(({ schedules, days }) => schedules.length > 0 || days.length > 0)
      .map(({ employeeId }) => employeeId),
  );
  return (id) => staff !== undefined && !set.has(id);
}
