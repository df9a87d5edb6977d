import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { rpcQuery, rpcWhole } from '../api/query';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { CatalogueService } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { DayService } from '../gen/frontdesk/scheduling/v1/day_pb';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';

/** Changes arrive over the live socket, so returning to it needs no new read. */
const SELDOM_CHANGED_MS = 5 * 60_000;

/** Visits that start between two instants. */
export const visitsQuery = (businessId: string, from: Date, to: Date) =>
  rpcWhole(
    AppointmentService.method.listAppointments,
    { businessId, from: timestampFromDate(from), to: timestampFromDate(to) },
    ({ appointments }) => appointments,
  );

export const catalogueQuery = (businessId: string) =>
  rpcWhole(CatalogueService.method.listServices, { businessId }, ({ services }) => services);

/** All that some days in a row show; with columns of one employee alone where one is named. */
export const dayQuery = (businessId: string, firstDate: string, lastDate: string, employeeId = '') =>
  rpcQuery(DayService.method.getDay, { businessId, firstDate, lastDate, employeeId });

/** How full each day of a month is, as "2026-12"; of one employee alone where one is named. */
export const monthQuery = (businessId: string, month: string, employeeId = '') =>
  rpcQuery(DayService.method.getMonth, { businessId, month, employeeId });

/** When all employees work on some dates, salon and time off left aside. */
export const staffSchedulesQuery = (businessId: string, firstDate: string, lastDate: string) => ({
  ...rpcWhole(
    ScheduleService.method.listStaffSchedules,
    { businessId, firstDate, lastDate },
    ({ staff }) => staff,
  ),
  staleTime: SELDOM_CHANGED_MS,
});
