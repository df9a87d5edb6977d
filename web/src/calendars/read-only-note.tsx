import { useQuery } from '@tanstack/react-query';
import { employeesQuery } from '../business/queries';
import { Muted } from '../ui/text';
import { calendarsQuery } from './queries';
import { readOnlyText } from './wording';

/** Which calendars appointments are not written to; nothing where they are written to all. */
export function ReadOnlyNote({ businessId }: { businessId: string }) {
  const { calendars = [] } = useQuery(calendarsQuery(businessId)).data ?? {};
  const { employees = [] } = useQuery(employeesQuery(businessId)).data ?? {};
  const names = new Map(employees.map(({ id, name }) => [id, name]));
  const text = readOnlyText(calendars, names);
  return text ? <Muted>{text}</Muted> : null;
}
