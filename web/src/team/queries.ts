import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { rpcQuery } from '../api/query';
import { queries } from '../api/query-client';
import { readVisitsAgain } from '../business/read-visits-again';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { DayService } from '../gen/frontdesk/scheduling/v1/day_pb';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { rpcWhole } from '../schedule/queries';

/** Time off that ends after an instant, whatever became of it. */
export const timeOffFromQuery = (businessId: string, employeeId: string, from: Date | undefined) =>
  rpcWhole(
    TimeOffService.method.listTimeOff,
    { businessId, employeeId, ...(from ? { from: timestampFromDate(from) } : {}) },
    ({ timeOff }) => timeOff,
  );

/** All the weeks of one employee. */
export const weeksQuery = (businessId: string, employeeId: string) =>
  rpcWhole(
    ScheduleService.method.listWeeklySchedules,
    { businessId, employeeId },
    ({ schedules }) => schedules,
  );

/** The days of one employee that have hours of their own, from a date on. */
export const dayHoursQuery = (businessId: string, employeeId: string, fromDate: string) =>
  rpcWhole(ScheduleService.method.listDayHours, { businessId, employeeId, fromDate }, ({ days }) => days);

/** An employee's visits to come for which they are not at work, whatever came between. */
export const strandedQuery = (businessId: string, employeeId: string) =>
  rpcQuery(DayService.method.listStrandedAppointments, { businessId, employeeId });

export const meQuery = () => rpcQuery(AccountService.method.getMe, {});

/** Invalidates all queries that depend on hours and time off, without waiting for the live socket. */
export function readTeamAgain(): void {
  const ofTeam = [ScheduleService, TimeOffService].map(({ typeName }) => `${typeName}/`);
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => ofTeam.some((service) => String(queryKey[0]).startsWith(service)),
  });
  readVisitsAgain();
}
