import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { rpcPages, rpcQuery, rpcWhole } from '../api/query';
import { queries } from '../api/query-client';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { DayService } from '../gen/frontdesk/scheduling/v1/day_pb';
import { dayAfter, instantOf } from '../time/local';

/** Who comes within the hour or two: what is left of today stands beside it. */
export const NEXT_APPOINTMENTS = 7;
/** As many as the contract lists at once. */
export const CONFLICTS = 200;

/** As many customers as one settles before looking up. */
const STRANDED = 50;

/** From now on, a week ahead: the contract's own default span. */
export const nextAppointmentPages = (businessId: string) =>
  rpcPages(AppointmentService.method.listAppointments, { businessId, pageSize: NEXT_APPOINTMENTS });

export const appointmentQuery = (businessId: string, appointmentId: string) =>
  rpcQuery(AppointmentService.method.getAppointment, { businessId, appointmentId });

/** Shows a visit as its change was answered, until all of it is read again. */
export function showChanged(businessId: string, changed: Appointment | undefined): void {
  if (!changed) return;
  queries.setQueryData(
    appointmentQuery(businessId, changed.id).queryKey,
    (read) =>
      read &&
      ((read.appointment?.version ?? 0n) < changed.version ? { ...read, appointment: changed } : read),
  );
}

/** All visits that start on a day and were not cancelled. */
export const visitsOfDayQuery = (businessId: string, day: string, zone: string) =>
  rpcWhole(
    AppointmentService.method.listAppointments,
    {
      businessId,
      from: timestampFromDate(instantOf(day, 0, zone)),
      to: timestampFromDate(instantOf(dayAfter(day, 1), 0, zone)),
    },
    ({ appointments }) => appointments,
  );

const UPCOMING = 10;
const PAST = 5;

/** What a customer is booked for next. */
export const upcomingQuery = (businessId: string, customerId: string) =>
  rpcQuery(AppointmentService.method.listCustomerAppointments, {
    businessId,
    customerId,
    upcoming: true,
    pageSize: UPCOMING,
  });

/** What a customer came for last. */
export const latestQuery = (businessId: string, customerId: string) =>
  rpcQuery(AppointmentService.method.listCustomerAppointments, { businessId, customerId, pageSize: PAST });

/** All visits of a customer to come, and what was cancelled of them: it stays reachable. */
export const allUpcomingQuery = (businessId: string, customerId: string) =>
  rpcWhole(
    AppointmentService.method.listCustomerAppointments,
    { businessId, customerId, upcoming: true, includeCancelled: true },
    ({ appointments }) => appointments,
  );

/** What a customer came for, or did not come for, the latest first. */
export const pastPages = (businessId: string, customerId: string) =>
  rpcPages(AppointmentService.method.listCustomerAppointments, {
    businessId,
    customerId,
    includeCancelled: true,
    pageSize: PAST,
  });

export const conflictsQuery = (businessId: string) =>
  rpcQuery(AppointmentService.method.listConflicts, { businessId, pageSize: CONFLICTS });

/** Visits to come whose employee is not at work then, and whose customers were not told. */
export const strandedPages = (businessId: string) =>
  rpcPages(DayService.method.listStrandedAppointments, { businessId, pageSize: STRANDED });

/** The same of one employee: as many as the contract lists at once, and how many there are. */
export const strandedOfEmployeeQuery = (businessId: string, employeeId: string) =>
  rpcQuery(DayService.method.listStrandedAppointments, { businessId, employeeId });

/** The open line of one visit, if its employee is not at work then; as the inbox has it until it is read. */
export const strandedVisitQuery = (businessId: string, appointmentId: string) => ({
  ...rpcQuery(DayService.method.listStrandedAppointments, { businessId, appointmentId }),
  placeholderData: () => {
    const [page] = queries.getQueryData(strandedPages(businessId).queryKey)?.pages ?? [];
    return (
      page && { ...page, stranded: page.stranded.filter((line) => line.appointmentId === appointmentId) }
    );
  },
});
