import { may } from '../../api/access';
import type { Destination } from '../../day/move-visit';
import { AppointmentAccess } from '../../gen/access';
import type { Appointment } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { isManagerOrAbove } from '../../session/roles';

/** What shall stand beside whatever takes the time; a visit that it comes instead of, where there is one. */
export type Squeeze = {
  start: Date;
  items: { serviceId: string; employeeId: string; guest: number; extraMinutes?: number }[];
  visit?: Appointment;
};

/** The contract lets employees book, and says of the field that squeezes in: for managers. */
export const maySqueezeIn = (role: string): boolean =>
  may(AppointmentAccess.bookAppointment, role) && isManagerOrAbove(role);

/** A visit that found its new time taken, beside what takes it. */
export function squeezed(visit: Appointment, { startsAt, employeeIds, extraMinutes }: Destination): Squeeze {
  return {
    start: startsAt,
    visit,
    items: visit.items.map(({ serviceId, guest }, index) => ({
      serviceId,
      guest,
      employeeId: employeeIds[index] ?? '',
      extraMinutes: extraMinutes[index] ?? 0,
    })),
  };
}
