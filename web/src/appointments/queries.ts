import { rpcPages, rpcQuery } from '../api/query';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';

/** Who comes within the hour or two: what is left of today stands beside it. */
const NEXT = 7;
const MOST = 200;

/** From now on, a week ahead: the contract's own default span. */
export const nextAppointmentPages = (businessId: string) =>
  rpcPages(AppointmentService.method.listAppointments, { businessId, pageSize: NEXT });

export const appointmentQuery = (businessId: string, appointmentId: string) =>
  rpcQuery(AppointmentService.method.getAppointment, { businessId, appointmentId });

export const conflictsQuery = (businessId: string) =>
  rpcQuery(AppointmentService.method.listConflicts, { businessId, pageSize: MOST });
