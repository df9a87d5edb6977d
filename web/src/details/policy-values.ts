/** Minutes between offered starts. */
export const INCREMENTS = [5, 10, 15, 20, 30, 60] as const;

const HOUR = 60;
const DAY = 24 * HOUR;

/** How long before a visit it can be booked or cancelled, in minutes. */
export const LEADS = [0, 30, HOUR, 2 * HOUR, 4 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY] as const;
/** How far ahead visits are booked, in days. */
export const HORIZONS = [14, 30, 60, 90, 180, 365, 730] as const;

/** The usual choices and the one that is set, in order. */
export function withCurrent(choices: readonly number[], current: number): number[] {
  return [...new Set([...choices, current])].sort((one, other) => one - other);
}

/** "30 minutes", "1 hour", "36 hours", "2 days". */
export function durationText(minutes: number): string {
  if (minutes % DAY === 0 && minutes > 0) return counted(minutes / DAY, 'day');
  if (minutes % HOUR === 0 && minutes > 0) return counted(minutes / HOUR, 'hour');
  return counted(minutes, 'minute');
}

function counted(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
