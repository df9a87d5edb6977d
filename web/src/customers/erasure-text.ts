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
