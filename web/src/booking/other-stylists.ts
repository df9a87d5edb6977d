import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { Item } from './draft';

/** Who does all that an employee would have done for a visit, without that employee. */
export function stylistsFor(
  { items }: Appointment,
  employeeId: string,
  services: readonly Service[],
): string[] {
  const theirs = items.filter((item) => item.employeeId === employeeId);
  const skilled = theirs.map(
    ({ serviceId }) => services.find(({ id }) => id === serviceId)?.employeeIds ?? [],
  );
  const [first = []] = skilled;
  return first.filter((id) => id !== employeeId && skilled.every((ids) => ids.includes(id)));
}

/** A visit's items with another employee in one's place; all others stay with who does them. */
export function itemsWith({ items }: Appointment, employeeId: string, instead: string): Item[] {
  return items.map((item) => ({
    serviceId: item.serviceId,
    employeeId: item.employeeId === employeeId ? instead : item.employeeId,
    preferredEmployeeId: '',
    employeeOnly: false,
    guest: item.guest,
    extraMinutes: item.extraMinutes,
  }));
}
