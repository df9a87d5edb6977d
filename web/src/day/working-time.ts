import type { OpeningException } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import type { DayHours, WeeklySchedule, WeeklySpan } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { weekdayOf } from '../time/local-day';
import type { Span } from './spans';

/** When the salon is open on a day, and what an exception calls it; a date of its own counts before the week. */
export function openingOn(
  day: string,
  week: readonly WeeklySpan[],
  exceptions: readonly OpeningException[],
): { spans: Span[]; label: string } {
  const exception = exceptions.find(({ firstDate, lastDate }) => firstDate <= day && day <= lastDate);
  if (exception) return { spans: sorted(exception.spans), label: exception.label };
  return { spans: onWeekday(week, day), label: '' };
}

/** When an employee works on a day: its own hours, else those of the last week that counts from before it. */
export function workingOn(day: string, weeks: readonly WeeklySchedule[], days: readonly DayHours[]): Span[] {
  const own = days.find(({ date }) => date === day);
  if (own) return sorted(own.spans);
  const [counting] = weeks
    .filter(({ effectiveFrom }) => effectiveFrom <= day)
    .sort((one, other) => (one.effectiveFrom < other.effectiveFrom ? 1 : -1));
  return counting ? onWeekday(counting.spans, day) : [];
}

function onWeekday(spans: readonly WeeklySpan[], day: string): Span[] {
  return sorted(spans.filter(({ weekday }) => weekday === weekdayOf(day)));
}

function sorted(spans: readonly { fromMinute: number; toMinute: number }[]): Span[] {
  return spans
    .map(({ fromMinute, toMinute }) => ({ from: fromMinute, to: toMinute }))
    .sort((one, other) => one.from - other.from);
}
