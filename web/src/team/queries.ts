import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { rpcQuery } from '../api/query';
import { queries } from '../api/query-client';
import { readVisitsAgain } from '../booking/booked';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { addDays } from '../schedule/local-day';
import { rpcWhole } from '../schedule/queries';

/** Nothing tells of time off as it is asked for: what is shown is read again this often. */
const READ_AGAIN_MS = 60_000;
const YEAR = 365;

/** Time off that ends after an instant, whatever became of it. */
export const timeOffFromQuery = (businessId: string, employeeId: string, from: Date | undefined) => ({
  ...rpcWhole(
    TimeOffService.method.listTimeOff,
    { businessId, employeeId, ...(from ? { from: timestampFromDate(from) } : {}) },
    ({ timeOff }) => timeOff,
  ),
  refetchInterval: READ_AGAIN_MS,
});

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

/** Everybody's weeks that count within a year. */
export const staffSchedulesQuery = (businessId: string, today: string) =>
  rpcWhole(
    ScheduleService.method.listStaffSchedules,
    { businessId, firstDate: today, lastDate: addDays(today, YEAR) },
    ({ staff }) => staff,
  );

export const meQuery = () => rpcQuery(AccountService.method.getMe, {});

/** Everything that hours and absences decide, here, without waiting to be told. */
export function readTeamAgain(): void {
  const ofTeam = [ScheduleService, TimeOffService].map(({ typeName }) => `${typeName}/`);
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => ofTeam.some((service) => String(queryKey[0]).startsWith(service)),
  });
  readVisitsAgain();
}
