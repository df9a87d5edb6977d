import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { rpcWhole } from '../api/query';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';

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
