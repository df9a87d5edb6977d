import type { Span } from '../day/spans';
import type { WeeklySchedule } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { dayAfter } from '../time/local';
import { isDay, weekdayOf } from '../time/local-day';
import { countingOn, problemOf, weekOfSpans } from './hours';

/** What the form of a week holds. */
export type WeekValues = {
  /** Whether it applies from the start or from a date. */
  since: 'always' | 'date';
  date: string;
  week: Span[][];
};

/** A week as it is, to be changed where it stands. */
export function valuesOf({ effectiveFrom, spans }: WeeklySchedule): WeekValues {
  return {
    since: effectiveFrom ? 'date' : 'always',
    date: effectiveFrom,
    week: weekOfSpans(spans),
  };
}

/** A new one: what applies now, from next Monday on; the first of all applies from the start. */
export function newWeek(weeks: readonly WeeklySchedule[], today: string): WeekValues {
  const now = countingOn(weeks, today);
  const hasFirst = weeks.some(({ effectiveFrom }) => effectiveFrom === '');
  return {
    since: hasFirst ? 'date' : 'always',
    date: dayAfter(today, 8 - weekdayOf(today)),
    week: weekOfSpans(now?.spans ?? []),
  };
}

/** "" for always, as the contract has it. */
export function effectiveFrom({ since, date }: WeekValues): string {
  return since === 'always' ? '' : date;
}

export function dateProblem({ since, date }: WeekValues): string | undefined {
  return since === 'date' && !isDay(date) ? 'Say from which day it counts.' : undefined;
}

export function isSound(values: WeekValues): boolean {
  return !dateProblem(values) && values.week.every((spans) => !problemOf(spans));
}
