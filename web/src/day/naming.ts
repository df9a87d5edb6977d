import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';

export function customerOf(appointment: Appointment): string {
  return appointment.customerName || (appointment.customerId ? 'Customer' : 'Walk-in');
}

/** "Cut & finish, Full colour". */
export function servicesOf(appointment: Appointment): string {
  return appointment.items.map((item) => item.serviceName).join(', ') || 'No service';
}

/** "with Maya Okafor and Tom Reed", each once. */
export function employeesOf(appointment: Appointment): string {
  const names = [...new Set(appointment.items.map((item) => item.employeeName).filter(Boolean))];
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
}

/** "Today, 14:05 with Maya Okafor". */
export function whenAndWho(appointment: Appointment, zone: string): string {
  const from = moment(appointment.startsAt);
  const when = from ? `${dayName(from, zone, new Date())}, ${timeOfDay(from, zone)}` : '';
  const employees = employeesOf(appointment);
  return employees ? `${when} with ${employees}` : when;
}

/** What an undone move says: "Moved Ben Carter back to today, 11:30 with Noah Adeyemi." */
export const movedBackText = (before: Appointment, zone: string): string =>
  `Moved ${customerOf(before)} back to ${inSentence(whenAndWho(before, zone))}.`;
