import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { EmployeeWish, type PlacedItem } from '../gen/frontdesk/scheduling/v1/availability_pb';

type Asked = Pick<PlacedItem, 'employeeId' | 'employeeWish' | 'wishedEmployeeId' | 'wishedEmployeeName'>;

/** Whether a service is with the only employee whom its customer wants: another needs the customer's consent. */
export const isLocked = ({ employeeId, employeeWish, wishedEmployeeId }: Asked): boolean =>
  employeeWish === EmployeeWish.ONLY && wishedEmployeeId === employeeId;

/** "only Sofia Marino", as a sentence goes on after "Stylist: "; empty without a wish. */
export function wishText(item: Asked): string {
  const name = item.wishedEmployeeName || 'one employee';
  switch (item.employeeWish) {
    case EmployeeWish.ONLY:
      return isLocked(item) ? `only ${name}` : `asked for only ${name}`;
    case EmployeeWish.PREFERS:
      return `prefers ${name}`;
    default:
      return '';
  }
}

/** The services that would leave the only employee whom the customer wants. */
export function brokenBy({ items }: Appointment, employeeIds: readonly string[]): PlacedItem[] {
  return items.filter((item, index) => {
    const other = employeeIds[index] ?? '';
    return isLocked(item) && other !== '' && other !== item.employeeId;
  });
}
