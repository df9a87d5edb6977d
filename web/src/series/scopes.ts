import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Destination, isMovable, placeOf } from '../day/move-visit';
import { SeriesScope } from '../gen/frontdesk/scheduling/v1/appointment_change_pb';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { dateText, moment } from '../time/zoned';

/** How much of a series a change is meant for: this visit, this and all following, all that have not begun. */
export type Scope = 'one' | 'rest' | 'all';

/** As the contract has it. */
export const SCOPES: Record<Scope, SeriesScope> = {
  one: SeriesScope.UNSPECIFIED,
  rest: SeriesScope.FOLLOWING,
  all: SeriesScope.ALL,
};

export type ScopeOption = {
  scope: Scope;
  /** How many visits change. */
  count: number;
  /** When the last of them starts. */
  last: Date | null;
  /** How many keep their time because they were moved by themselves. */
  staying: number;
};

/**
 * What a change of one visit of a series can be meant for; the visit alone where no other is left. A change of the
 * start leaves visits alone that were moved by themselves.
 */
export function scopesOf(series: readonly Appointment[], visit: Appointment, shifts: boolean): ScopeOption[] {
  const ahead = series.filter((one) => isMovable(one) || one.id === visit.id);
  const option = (scope: Scope, among: readonly Appointment[]): ScopeOption => {
    const changing = among.filter((one) => !shifts || !one.movedAlone || one.id === visit.id);
    const starts = changing.flatMap((one) => moment(one.startsAt) ?? []);
    const last = starts.length > 0 ? new Date(Math.max(...starts.map((start) => start.getTime()))) : null;
    return { scope, count: changing.length, last, staying: among.length - changing.length };
  };
  const one = option('one', [visit]);
  const rest = option(
    'rest',
    ahead.filter(({ occurrence }) => occurrence >= visit.occurrence),
  );
  const all = option('all', ahead);
  return [one, ...(rest.count > 1 ? [rest] : []), ...(all.count > rest.count ? [all] : [])];
}

/** The visits of a series that a change is meant for, of those that have yet to begin. */
export const inScope = (series: readonly Appointment[], visit: Appointment, scope: Scope): Appointment[] =>
  series.filter(
    (one) =>
      (isMovable(one) || one.id === visit.id) &&
      (scope === 'one' ? one.id === visit.id : scope === 'all' || one.occurrence >= visit.occurrence),
  );

/** "This and all following: 6 visits, until 12 May 2027; 1 that was moved by itself stays". */
export function scopeText({ scope, count, last, staying }: ScopeOption, zone: string): string {
  if (scope === 'one') return 'This visit only';
  const name = scope === 'rest' ? 'This and all following' : 'All that have not begun';
  const until = last ? `, until ${dateText(last, zone)}` : '';
  const stay =
    staying === 0
      ? ''
      : staying === 1
        ? '; 1 that was moved by itself stays'
        : `; ${staying} that were moved by themselves stay`;
  return `${name}: ${count} visits${until}${stay}`;
}

/** What a destination changes of a visit: the other visits keep the rest as each has it. */
export function changesOf(visit: Appointment, to: Destination) {
  const from = placeOf(visit);
  const startsAt = to.startsAt.getTime() === from.startsAt.getTime() ? undefined : to.startsAt;
  return {
    ...(startsAt ? { startsAt: timestampFromDate(startsAt) } : {}),
    employeeIds: to.employeeIds.join() === from.employeeIds.join() ? [] : to.employeeIds,
    extraMinutes: to.extraMinutes.join() === from.extraMinutes.join() ? [] : to.extraMinutes,
  };
}
