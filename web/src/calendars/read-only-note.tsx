import { useQuery } from '@tanstack/react-query';
import { useEmployeeNames } from '../business/use-employees';
import { Muted } from '../ui/text';
import { calendarsQuery } from './queries';
import { readOnlyText } from './wording';

/** Which calendars appointments are not written to; nothing until their employees' names are read. */
export function ReadOnlyNote({ businessId }: { businessId: string }) {
  const { calendars = [] } = useQuery(calendarsQuery(businessId)).data ?? {};
  const names = useEmployeeNames(
    businessId,
    calendars.map(({ employeeId }) => employeeId),
  );
  const text = readOnlyText(calendars, names);
  return text ? <Muted>{text}</Muted> : null;
}
