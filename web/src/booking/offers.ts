import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { moment } from '../time/zoned';
import type { Item, Stylist } from './draft';

const startOf = (offer: Offer): number => moment(offer.startsAt)?.getTime() ?? 0;

export const startsAt = (offer: Offer, at: Date): boolean => startOf(offer) === at.getTime();

export function minutesOf(offer: Offer): number {
  return Math.round(((moment(offer.endsAt)?.getTime() ?? 0) - startOf(offer)) / 60_000);
}

/** Who does what of a visit, each employee once. */
export function handsOf(offer: Offer): string {
  const names = [...new Set(offer.items.map(({ employeeName }) => employeeName).filter(Boolean))];
  return new Intl.ListFormat('en-GB').format(names);
}

/**
 * The items of a visit with the employees an offer has for them: what is held is what was shown. An
 * offer has them in the order they are done, so each finds its own by service, guest and length. Of the employees
 * named, those stay whom the customer prefers.
 */
export function pinned(items: Item[], offer: Offer, stylist: Stylist): Item[] {
  const left = [...offer.items];
  return items.map((item) => {
    const at = left.findIndex(
      ({ serviceId, guest, extraMinutes }) =>
        serviceId === item.serviceId && guest === item.guest && extraMinutes === item.extraMinutes,
    );
    const [placed] = at < 0 ? [] : left.splice(at, 1);
    if (!placed) return item;
    const preferredEmployeeId = stylist === 'prefers' ? item.preferredEmployeeId : '';
    return { ...item, employeeId: placed.employeeId, preferredEmployeeId };
  });
}

/** The employees of an offer in the order of a visit's own items. */
export function employeesFor({ items }: Pick<Appointment, 'items'>, offer: Offer): string[] {
  const own = items.map(
    ({ serviceId, employeeId, guest, extraMinutes }): Item => ({
      serviceId,
      employeeId,
      preferredEmployeeId: '',
      employeeOnly: false,
      guest,
      extraMinutes,
    }),
  );
  return pinned(own, offer, 'any').map(({ employeeId }) => employeeId);
}

/** Whether an offer has the visit’s own start and employees, so that taking it moves nothing. */
export function isSamePlace(visit: Pick<Appointment, 'items' | 'startsAt'>, offer: Offer): boolean {
  const start = moment(visit.startsAt);
  const employeeIds = employeesFor(visit, offer);
  return (
    start !== null &&
    startsAt(offer, start) &&
    visit.items.every(({ employeeId }, index) => employeeId === employeeIds[index])
  );
}

/**
 * Offers of several searches in one order. A single search keeps the engine's ranking; of several,
 * each start comes once, and those that waste least first, as the engine would have it.
 */
export function ranked(searches: Offer[][]): Offer[] {
  const [only = []] = searches;
  if (searches.length < 2) return only;
  const best = new Map<number, Offer>();
  for (const offer of searches.flat()) {
    const rival = best.get(startOf(offer));
    if (!rival || offer.lostMinutes < rival.lostMinutes) best.set(startOf(offer), offer);
  }
  return [...best.values()].sort(
    (one, other) => one.lostMinutes - other.lostMinutes || startOf(one) - startOf(other),
  );
}

/** The offer that was asked for before all others, once. */
export function withFirst(offers: Offer[], first: Offer | undefined): Offer[] {
  return first ? [first, ...offers.filter((offer) => startOf(offer) !== startOf(first))] : offers;
}

export const sameStart = (one: Offer, other: Offer): boolean => startOf(one) === startOf(other);

/** Why an offer stands where it stands, in words. */
export function reasonsOf(offer: Offer, items: Item[], offers: Offer[]): string[] {
  const reasons: string[] = [];
  const preferred = items.map((item) => item.preferredEmployeeId).filter(Boolean);
  if (preferred.length > 0) {
    const placed = new Set(offer.items.map(({ employeeId }) => employeeId));
    reasons.push(preferred.every((id) => placed.has(id)) ? 'As preferred' : 'Different employee');
  }
  if (offers.length > 1 && offers.every((other) => startOf(other) >= startOf(offer)))
    reasons.push('Earliest');
  reasons.push(offer.lostMinutes === 0 ? 'Leaves no gap' : `Leaves ${offer.lostMinutes} min unused`);
  return reasons;
}
