import type { Offer } from '../../gen/frontdesk/scheduling/v1/availability_pb';
import type { WaitingCustomer } from '../../gen/frontdesk/scheduling/v1/waitlist_pb';
import { dayKey, moment } from '../../time/zoned';

/**
 * The first time of a day that suits a waiting customer, as far as the list tells: it has only their first
 * time of all. If that is on an earlier day, this day has to be asked for; if it is on a later one, or
 * there is none, this day has nothing.
 */
export function offerHere(
  { offer }: WaitingCustomer,
  day: string,
  zone: string,
): Offer | undefined | 'unknown' {
  const start = moment(offer?.startsAt);
  if (!offer || !start) return undefined;
  const first = dayKey(start, zone);
  if (first === day) return offer;
  return first < day ? 'unknown' : undefined;
}

/** The customers who wait for a day: those with a free time first, then by how long they have waited. */
export function waitingOn(waiting: readonly WaitingCustomer[], day: string, zone: string): WaitingCustomer[] {
  const here = waiting.filter(({ entry }) => entry && entry.firstDate <= day && day <= entry.lastDate);
  const rank = (one: WaitingCustomer) => (offerHere(one, day, zone) ? 0 : 1);
  return here.sort((one, other) => rank(one) - rank(other));
}

/** How many of those who wait for a day are known to have a free time on it. */
export const countOffered = (waiting: readonly WaitingCustomer[], day: string, zone: string): number =>
  waitingOn(waiting, day, zone).filter((one) => {
    const offer = offerHere(one, day, zone);
    return offer !== undefined && offer !== 'unknown';
  }).length;
