import { type BusySource, BusySourceKind, Freshness } from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import { inSentence } from '../time/in-sentence';
import { dayKey, dayName, moment, timeOfDay } from '../time/zoned';

/** When and for whom something is said. */
type Seen = { zone: string; now: Date };

/** Those that are not current, or are not known at all. */
export const inDoubt = (sources: readonly BusySource[]): BusySource[] =>
  sources.filter(({ freshness }) => freshness !== Freshness.FRESH && freshness !== Freshness.UNSPECIFIED);

/** "Sofia’s Google Calendar". */
function sourceName({ employeeName, kind, name }: BusySource): string {
  const whose = employeeName ? `${employeeName}’s` : 'An employee’s';
  switch (kind) {
    case BusySourceKind.GOOGLE:
      return `${whose} Google Calendar`;
    case BusySourceKind.PROVIDER:
      return `${whose} column in ${name || 'the booking system'}`;
    default:
      return `${whose} calendar${name ? ` “${name}”` : ''}`;
  }
}

/** "at 9:12", "yesterday at 9:12". */
function whenText(at: Date, { zone, now }: Seen): string {
  const time = `at ${timeOfDay(at, zone)}`;
  return dayKey(at, zone) === dayKey(now, zone) ? time : `${inSentence(dayName(at, zone, now))} ${time}`;
}

/** What is missing of a source that is in doubt, and why. */
export function doubtText(source: BusySource, seen: Seen): string {
  const name = sourceName(source);
  const readAt = moment(source.readAt);
  if (source.freshness === Freshness.UNREAD)
    return `${name} is being read for the first time. Times that it takes may still look free.`;
  const why = source.reason ? ` (${source.reason})` : '';
  if (!readAt) return `${name} was never read${why}. Times that it takes may look free.`;
  const read = `was last read ${whenText(readAt, seen)}: what changed there since is missing here.`;
  return source.freshness === Freshness.UNREACHABLE
    ? `${name} is out of date${why}. It ${read}`
    : `${name} ${read}`;
}

/** As of when the current ones are known, by the one that was read first; empty where there are none. */
export function asOfText(sources: readonly BusySource[], seen: Seen): string {
  const current = sources.filter(({ freshness }) => freshness === Freshness.FRESH);
  const [only] = current;
  const reads = current.flatMap(({ readAt }) => moment(readAt) ?? []);
  if (!only || reads.length === 0) return '';
  const oldest = whenText(new Date(Math.min(...reads.map((read) => read.getTime()))), seen);
  return current.length === 1
    ? `${sourceName(only)} was last read ${oldest}.`
    : `${current.length} calendars and booking systems were last read ${oldest} or later.`;
}

/** Each source once, as the latest answer has it. */
export const together = (answers: readonly (readonly BusySource[])[]): BusySource[] => [
  ...new Map(answers.flat().map((source) => [source.sourceId, source])).values(),
];
