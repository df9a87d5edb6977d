import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { WaitingCustomer } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { dayKey, moment } from '../time/zoned';

/**
 * The first time of a day that suits somebody who waits, as far as the list tells: it has their first
 * time of all. Is that on an earlier day, this one has to be asked for; is it on a later one, or is
 * there none, this one has nothing.
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

/** Who waits for a day: whoever there is a time for first, then by how long they wait. */
export function waitingOn(waiting: readonly WaitingCustomer[], day: string, zone: string): WaitingCustomer[] {
  const here = waiting.filter(({ entry }) => entry && entry.firstDate <= day && day <= entry.lastDate);
  const rank = (one: WaitingCustomer) => (offerHere(one, day, zone) ? 0 : 1);
  return here.sort((one, other) => rank(one) - rank(other));
}
