import { inSentence } from '../time/in-sentence';
import { dayKey, dayName, timeOfDay } from '../time/zoned';

/** When a visit is, and with whom; without names where they are not known. */
export type Place = { startsAt: Date; endsAt: Date | null; names: readonly string[] };

/** "Moved from today, 10:00 with Mia Larsen to tomorrow, 11:30 with Noah Adeyemi": what both share is said once. */
export function movedText(from: Place, to: Place | undefined, zone: string, now: Date): string {
  const [before, after] = [whom(from), to ? whom(to) : ''];
  const withWhom = (names: string) => names && ` with ${names}`;
  const left = whenText(from.startsAt, zone, now);
  if (!to) return `Moved from ${left}${withWhom(before)}`;
  const sameNames = before === after;
  if (from.startsAt.getTime() !== to.startsAt.getTime()) {
    const sameDay = dayKey(from.startsAt, zone) === dayKey(to.startsAt, zone);
    const arrived = sameDay ? timeOfDay(to.startsAt, zone) : whenText(to.startsAt, zone, now);
    return `Moved from ${left}${sameNames ? '' : withWhom(before)} to ${arrived}${withWhom(after)}`;
  }
  if (!sameNames && before && after) return `Moved from ${before} to ${after}, still ${left}`;
  if (!sameNames) return `Moved ${before ? `from ${before}` : `to ${after}`}, still ${left}`;
  if (from.endsAt && to.endsAt && from.endsAt.getTime() !== to.endsAt.getTime()) {
    return `Ends at ${timeOfDay(to.endsAt, zone)} instead of ${timeOfDay(from.endsAt, zone)}`;
  }
  return `Rearranged within the same time, ${left}${withWhom(before)}`;
}

const whenText = (at: Date, zone: string, now: Date): string =>
  inSentence(`${dayName(at, zone, now)}, ${timeOfDay(at, zone)}`);

/** "Maya Okafor and Tom Reed", each once. */
const whom = ({ names }: Place): string =>
  new Intl.ListFormat('en-GB').format([...new Set(names.filter(Boolean))]);
