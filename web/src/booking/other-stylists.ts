import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { ExplainAvailabilityResponse } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { Item } from './draft';
import { nextStartOf } from './walk-in';

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

/**
 * Whether a colleague can take a visit over at its own start. A start that has passed or is near is no obstacle:
 * the server asks no notice of a visit that stays where it is.
 */
export const isFreeAt = (start: Date, answer: ExplainAvailabilityResponse | undefined): boolean =>
  answer !== undefined && nextStartOf(start, answer) !== null;
