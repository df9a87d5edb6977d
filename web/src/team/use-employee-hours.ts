import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { employeesQuery } from '../business/queries';
import type { DayHours, WeeklySchedule } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { dayHoursQuery, weeksQuery } from './queries';

/** An employee, with the weeks that decide when they work. */
export type Scheduled = Pick<Employee, 'id' | 'name'> & { weeks: readonly WeeklySchedule[] };

/** All of it: with the account that belongs to them, and their days with hours of their own. */
export type EmployeeHours = Scheduled & Pick<Employee, 'userId'> & { days: readonly DayHours[] };

/** Everything that decides when one employee works from a date on; null if the business has no such employee. */
export function useEmployeeHours(
  businessId: string,
  employeeId: string,
  fromDate: string,
): { query: UseQueryResult<unknown>; hours: EmployeeHours | null | undefined } {
  const employees = useQuery(employeesQuery(businessId));
  const weeks = useQuery(weeksQuery(businessId, employeeId));
  const days = useQuery(dayHoursQuery(businessId, employeeId, fromDate));
  const reads: UseQueryResult<unknown>[] = [employees, weeks, days];
  const query = reads.find(({ error }) => error) ?? reads.find(({ data }) => data === undefined) ?? weeks;
  const person = employees.data?.employees.find(({ id }) => id === employeeId);
  if (employees.data && !person) return { query: employees, hours: null };
  if (!person || !weeks.data || !days.data) return { query, hours: undefined };
  const { id, name, userId } = person;
  return { query, hours: { id, name, userId, weeks: weeks.data, days: days.data } };
}
