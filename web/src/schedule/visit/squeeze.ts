import type { Destination } from '../../day/move-visit';
import { wishFields } from '../../day/wishes';
import type { Appointment } from '../../gen/frontdesk/scheduling/v1/appointment_pb';

/** What shall stand beside whatever takes the time; a visit that it comes instead of, where there is one. */
export type Squeeze = {
  start: Date;
  items: {
    serviceId: string;
    employeeId: string;
    guest: number;
    extraMinutes?: number;
    employeeOnly?: boolean;
    preferredEmployeeId?: string;
  }[];
  visit?: Appointment;
};

/** A visit that found its new time taken, beside what takes it. */
export function squeezed(visit: Appointment, { startsAt, employeeIds, extraMinutes }: Destination): Squeeze {
  return {
    start: startsAt,
    visit,
    items: visit.items.map((item, index) => ({
      serviceId: item.serviceId,
      guest: item.guest,
      employeeId: employeeIds[index] ?? '',
      ...wishFields(item, employeeIds[index] ?? ''),
      extraMinutes: extraMinutes[index] ?? 0,
    })),
  };
}
