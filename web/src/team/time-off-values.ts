import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { TimeOffKind } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { dayAfter, instantOf, minuteOf } from '../time/local';
import { isDay } from '../time/local-day';
import { daysBetween } from '../time/zoned';

/** What the form of time off holds. */
export type TimeOffValues = {
  employeeId: string;
  kind: TimeOffKind;
  /** Whole days, or hours of one. */
  extent: 'days' | 'hours';
  firstDate: string;
  lastDate: string;
  date: string;
  from: string;
  until: string;
  reason: string;
};

type Problem = { field: keyof TimeOffValues; message: string };

const MOST_DAYS = 366;
export const LONGEST_REASON = 200;

export function newTimeOff(employeeId: string, today: string): TimeOffValues {
  return {
    employeeId,
    kind: TimeOffKind.HOLIDAY,
    extent: 'days',
    firstDate: today,
    lastDate: today,
    date: today,
    from: '09:00',
    until: '12:00',
    reason: '',
  };
}

/** What is wrong, first things first. */
export function problemsOf(values: TimeOffValues): Problem[] {
  const who: Problem[] = values.employeeId ? [] : [{ field: 'employeeId', message: 'Choose who it is.' }];
  return [...who, ...(values.extent === 'days' ? daysProblems(values) : hoursProblems(values))];
}

function daysProblems({ firstDate, lastDate }: TimeOffValues): Problem[] {
  if (!isDay(firstDate)) return [{ field: 'firstDate', message: 'Say on which day it begins.' }];
  if (!isDay(lastDate)) return [{ field: 'lastDate', message: 'Say which day is the last.' }];
  if (lastDate < firstDate) return [{ field: 'lastDate', message: 'It must end after it begins.' }];
  return daysBetween(firstDate, lastDate) >= MOST_DAYS
    ? [{ field: 'lastDate', message: `At most ${MOST_DAYS} days at once.` }]
    : [];
}

function hoursProblems({ date, from, until }: TimeOffValues): Problem[] {
  const [start, end] = [minuteOf(from), minuteOf(until)];
  if (!isDay(date)) return [{ field: 'date', message: 'Say on which day.' }];
  if (start === null) return [{ field: 'from', message: 'Say from when.' }];
  if (end === null) return [{ field: 'until', message: 'Say until when.' }];
  return end > start ? [] : [{ field: 'until', message: 'It must end after it begins.' }];
}

/** The time it takes; undefined while something is wrong with it. */
export function spanOf(values: TimeOffValues, zone: string): { from: Date; to: Date } | undefined {
  const { extent, firstDate, lastDate, date, from, until } = values;
  if (problemsOf({ ...values, employeeId: 'any' }).length > 0) return undefined;
  return extent === 'days'
    ? { from: instantOf(firstDate, 0, zone), to: instantOf(dayAfter(lastDate, 1), 0, zone) }
    : {
        from: instantOf(date, minuteOf(from) ?? 0, zone),
        to: instantOf(date, minuteOf(until) ?? 0, zone),
      };
}

/** As the contract takes it: days as days, so that they stay whole wherever the zone has them begin. */
export function requestOf(values: TimeOffValues, zone: string) {
  const { employeeId, kind, extent, firstDate, lastDate } = values;
  const span = spanOf(values, zone);
  const when =
    extent === 'days' || !span
      ? { firstDate, lastDate }
      : { startsAt: timestampFromDate(span.from), endsAt: timestampFromDate(span.to) };
  return { employeeId, kind, reason: values.reason.trim(), ...when };
}
