import type { Destination } from '../../day/move-visit';
import type { Appointment } from '../../gen/frontdesk/scheduling/v1/appointment_pb';

/** What shall be booked beside whatever takes the time. */
export type Squeeze = {
  start: Date;
  items: { serviceId: string; employeeId: string; guest: number }[];
};

/** A visit that found its new time taken, and shall come beside what takes it. */
export type Beside = { visit: Appointment; to: Destination };
