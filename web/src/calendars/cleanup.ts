import type { Cleanup, EndingCalendar } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { asSentence } from '../http/errors';

/** "40 upcoming appointments". */
export const upcomingText = (count: number): string =>
  count === 1 ? '1 upcoming appointment' : `${count.toLocaleString('en-GB')} upcoming appointments`;

/** "Taking out 12 of 40 …": the twelfth is on its way. While that does not go on, how many are out. */
export function cleanupText({ eventCount, leftCount }: Cleanup, isStuck: boolean): string {
  if (leftCount === 0) return 'All are taken out. Disconnecting …';
  const done = eventCount - leftCount;
  if (isStuck)
    return `${done.toLocaleString('en-GB')} of ${eventCount.toLocaleString('en-GB')} are taken out.`;
  const at = Math.min(done + 1, eventCount);
  return `Taking out ${at.toLocaleString('en-GB')} of ${eventCount.toLocaleString('en-GB')} …`;
}

/** Why it does not go on, and what happens then; empty while it does. */
export function stuckText({ fault, leftCount, refusedCount }: Cleanup): string {
  if (!fault) return '';
  const waits =
    refusedCount < leftCount
      ? 'This is tried again by itself, less often each time.'
      : refusedCount === 1
        ? 'It refused to delete this one.'
        : `It refused to delete these ${refusedCount}.`;
  return `${leftText(leftCount)}: ${asSentence(fault)} ${waits}`;
}

const leftText = (count: number): string =>
  count === 1
    ? '1 appointment is still there'
    : `${count.toLocaleString('en-GB')} appointments are still there`;

/** Why nothing can be taken out, where that is known without an attempt; else empty. */
export const barredText = ({
  authorizationRequired,
  ownAccount,
}: Pick<EndingCalendar, 'authorizationRequired' | 'ownAccount'>): string => {
  if (!authorizationRequired) return '';
  const who = ownAccount ? 'you allow it again' : 'the person who connected it allows it again';
  return `Google no longer lets Frontdesk use this calendar: nothing can be taken out of it until ${who}.`;
};
