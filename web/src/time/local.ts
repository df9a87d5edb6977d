import { dayKey, localMinute } from './zoned';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * The instant at which a clock there shows this minute of this day. Where the clocks skip it, the
 * same distance after midnight; where they show it twice, the first time.
 */
export function instantOf(day: string, minute: number, zone: string): Date {
  const wanted = Date.parse(`${day}T00:00Z`) + minute * MINUTE_MS;
  const shown = (at: number) =>
    Date.parse(`${dayKey(new Date(at), zone)}T00:00Z`) + localMinute(new Date(at), zone).minute * MINUTE_MS;
  // An hour either side of a change the offset differs: the earlier guess wins where both hold.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((at) => shown(at) - at);
  const guesses = offsets.map((offset) => wanted - offset);
  return new Date(guesses.find((guess) => shown(guess) === wanted) ?? Math.max(...guesses));
}

/** The day so many days after another: "2026-03-29" and 1 is "2026-03-30". */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** "14:30" as minutes after midnight; null where it is no time. */
export function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const minute = Number(hours) * 60 + Number(minutes);
  return minute < 1440 && Number(minutes) < 60 ? minute : null;
}

/** 870 as a time field holds it: "14:30"; the end of a day is its midnight. */
export function clockOf(minute: number): string {
  const [hours, rest] = [Math.floor(minute / 60) % 24, minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
