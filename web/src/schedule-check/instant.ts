import { dayKey, localMinute } from '../time/zoned';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** "2026-11-24T10:30" on the clock of a zone. */
export function localText(date: Date, zone: string): string {
  const { minute } = localMinute(date, zone);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${dayKey(date, zone)}T${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/**
 * The instant at which a zone's clock shows this; of an hour that comes twice
 * the first, undefined in an hour that is left out or where it is no time.
 */
export function instantOf(local: string, zone: string): Date | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)$/.exec(local) ?? [];
  if (!day || !time) return undefined;
  const asIfUtc = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(asIfUtc)) return undefined;
  // No zone is further from UTC than a day, and none has changed twice within two.
  const offsets = [-DAY_MS, DAY_MS].map((away) => offsetOf(new Date(asIfUtc + away), zone));
  const found = offsets
    .map((offset) => new Date(asIfUtc - offset))
    .filter((date) => localText(date, zone) === local)
    .sort((one, other) => one.getTime() - other.getTime());
  return found[0];
}

/** How far a zone's clock is ahead of UTC. */
function offsetOf(date: Date, zone: string): number {
  const shown = Date.parse(`${localText(date, zone)}Z`);
  return shown - Math.floor(date.getTime() / MINUTE_MS) * MINUTE_MS;
}
