import { Cadence } from '../gen/frontdesk/scheduling/v1/series_pb';

/** How a visit may repeat, the way people say it. */
export const REPEATS = [
  { key: 'none', text: 'Does not repeat' },
  { key: 'week', text: 'Every week', cadence: Cadence.WEEKLY, every: 1 },
  { key: 'weeks2', text: 'Every 2 weeks', cadence: Cadence.WEEKLY, every: 2 },
  { key: 'weeks4', text: 'Every 4 weeks', cadence: Cadence.WEEKLY, every: 4 },
  { key: 'weeks6', text: 'Every 6 weeks', cadence: Cadence.WEEKLY, every: 6 },
  { key: 'weeks8', text: 'Every 8 weeks', cadence: Cadence.WEEKLY, every: 8 },
  { key: 'month', text: 'Every month, on the same date', cadence: Cadence.MONTHLY, every: 1 },
  { key: 'weekday', text: 'Every month, on the same weekday', cadence: Cadence.MONTHLY_BY_WEEKDAY, every: 1 },
] as const;

export type RepeatKey = (typeof REPEATS)[number]['key'];

export const FEWEST_VISITS = 2;
export const MOST_VISITS = 52;

export type Recurring = { cadence: Cadence; every: number; count: number };

export function recurringOf(key: RepeatKey, count: number): Recurring | null {
  const found = REPEATS.find((repeat) => repeat.key === key);
  return found && 'cadence' in found ? { cadence: found.cadence, every: found.every, count } : null;
}

/** What becomes of one date of a series: as planned, at the nearest free time, or not at all. */
export type Fate = 'planned' | 'nearest' | 'out';

type Planned = { number: number; offer?: unknown; nearest?: { startsAt?: unknown } | undefined };

/** What is offered first: a free date as it is, a taken one at the nearest time. */
export function fateOf(planned: Planned, chosen: ReadonlyMap<number, Fate>): Fate {
  const wanted = chosen.get(planned.number);
  const possible = fatesOf(planned);
  return wanted && possible.includes(wanted) ? wanted : (possible[0] ?? 'out');
}

export function fatesOf({ offer, nearest }: Planned): Fate[] {
  if (offer) return ['planned', 'out'];
  return nearest ? ['nearest', 'out'] : ['out'];
}
