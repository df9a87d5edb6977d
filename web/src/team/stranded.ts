import { listedText } from '../business/listed';
import { customerOf, servicesOf } from '../day/naming';
import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import type { StandingAppointment } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { moment } from '../time/zoned';

/** A visit that has to be moved, cancelled or given to another employee. */
export type Stranded = {
  appointmentId: string;
  startsAt: Date;
  /** Who comes, and for what. */
  customer: string;
  services: string;
};

/** A customer who has arrived is served, and needs no other time. */
const AHEAD = new Set([AppointmentState.BOOKED, AppointmentState.CONFIRMED]);

/** The visits of an employee that are to come, with a part of them, between two instants. */
export function standingIn(
  visits: readonly Appointment[],
  employeeId: string,
  from: Date,
  to: Date,
): Stranded[] {
  const touches = ({ items, state }: Appointment) =>
    AHEAD.has(state) &&
    items.some((item) => {
      const [start, end] = [moment(item.startsAt), moment(item.endsAt)];
      return item.employeeId === employeeId && start !== null && end !== null && start < to && end > from;
    });
  return visits.filter(touches).flatMap(visitOf);
}

/** Those whose customers are still to arrive. */
export const aheadAmong = (visits: readonly Appointment[]): Stranded[] =>
  visits.filter(({ state }) => AHEAD.has(state)).flatMap(visitOf);

function visitOf(appointment: Appointment): Stranded[] {
  const startsAt = moment(appointment.startsAt);
  if (!startsAt) return [];
  const [customer, services] = [customerOf(appointment), servicesOf(appointment)];
  return [{ appointmentId: appointment.id, startsAt, customer, services }];
}

/** Of time off, or of hours as they are or would be after a change. */
export function strandedOf(visit: StandingAppointment | StrandedAppointment): Stranded[] {
  const { appointmentId, customerName, serviceNames } = visit;
  const start = moment(visit.startsAt);
  if (!start) return [];
  const services = serviceNames.join(', ');
  return [{ appointmentId, startsAt: start, customer: customerName || 'Walk-in', services }];
}

/** As long as the contract reads visits at once. */
export const MOST_DAYS = 62;

/** Spans no longer than the contract reads at once, one after the other. */
export function chunksOf(from: Date, to: Date, days: number): [from: Date, to: Date][] {
  const step = days * 86_400_000;
  const count = Math.max(0, Math.ceil((to.getTime() - from.getTime()) / step));
  return Array.from({ length: count }, (_, index) => [
    new Date(from.getTime() + index * step),
    new Date(Math.min(to.getTime(), from.getTime() + (index + 1) * step)),
  ]);
}

/** "1 visit is", "2 visits are". */
export function visitsAre(count: number): string {
  return count === 1 ? '1 visit is' : `${count} visits are`;
}

/** How many visits are booked in time off, of which `others` are not listed as to be moved. */
export function bookedText(count: number, others: number, approved: boolean): string {
  const booked = `${listedText(count, 'visit is', 'visits are')} ${approved ? 'still ' : ''}booked in this time`;
  const elsewhere = count - others;
  if (elsewhere === 0) return `${booked}.`;
  return `${booked}, ${others === 0 ? '' : `${elsewhere} of them `}listed under “To be moved”.`;
}
