import { useQuery } from '@tanstack/react-query';
import { employeesQuery, formerEmployeesQuery } from '../business/queries';
import { calendarsQuery } from '../calendars/queries';
import { type Calendar, CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';

/** The calendars of the employee whose account it is; undefined while they are not known. A booking system is the salon’s. */
export function useCalendarsOf(businessId: string, userId: string): readonly Calendar[] | undefined {
  const { data } = useQuery(calendarsQuery(businessId));
  const [now, former] = [
    useQuery(employeesQuery(businessId)).data,
    useQuery(formerEmployeesQuery(businessId)).data,
  ];
  if (!data || data.nextPageToken || !now || !former) return undefined;
  const theirs = new Set(
    [...now.employees, ...former.employees].filter((one) => one.userId === userId).map(({ id }) => id),
  );
  return data.calendars.filter(
    ({ employeeId, kind }) => theirs.has(employeeId) && kind !== CalendarKind.PROVIDER,
  );
}
