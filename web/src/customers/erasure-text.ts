import type { Erasure } from '../gen/frontdesk/tenancy/v1/erasure_pb';

/** What each service keeps of customers, as people know it. */
const KEPT: Readonly<Record<string, string>> = {
  tenancy: 'Record, notes, follow-ups, imports',
  telemetry: 'Calls',
  scheduling: 'Visits and waitlist',
  'calendar-sync': 'Employees’ calendars',
};

export const keptBy = (service: string): string => KEPT[service] ?? service;

/** What an erasure that has not ended waits for. */
export function waitsText({ holders }: Erasure): string {
  const next = holders.find(({ confirmedAt }) => !confirmedAt);
  if (!next) return 'It ends in a moment.';
  const part = `“${keptBy(next.service)}”`;
  return next.waitingFor ? `${part} waits for ${next.waitingFor}.` : `${part} is being erased.`;
}

/** What is left of a person whose erasure is known to have ended, or not to have; neither before it is read. */
export function erasedText(on: string | undefined, hasEnded: boolean | undefined): string {
  const erased = `This person was erased${on ? ` on ${on}` : ''}.`;
  if (hasEnded === undefined) return `${erased} Their visits stay for the books.`;
  return hasEnded
    ? `${erased} Nothing is known of them any more; their visits stay for the books.`
    : 'This person is being erased. What has not confirmed yet is below; their visits stay for the books.';
}

/** What becomes of visits to come. Where they are not known, or not yet, no number is claimed. */
export function cancelledText(toCome: number | undefined): string {
  if (toCome === undefined) return 'Visits to come will be cancelled, and their times are free again.';
  if (toCome === 0) return 'There is no visit to come.';
  return toCome === 1
    ? 'One visit to come will be cancelled, and its time is free again.'
    : `${toCome} visits to come will be cancelled, and their times are free again.`;
}
