import { isPossible } from '../day/lengths';
import { isLocked } from '../day/wishes';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { EmployeeWish, PartOfDay } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';

/** The contract's bounds. */
export const MOST_SERVICES = 6;
export const MOST_GUESTS = 8;

/** One service that a customer wants, and the employee, if they named one. */
export type Wish = {
  key: number;
  serviceId: string;
  employeeId: string;
  /** How much longer it shall take than it usually does. */
  extraMinutes: number;
  /** The visit is booked for this employee alone. */
  locked?: boolean;
};

/** What the customer says about the named employees: nothing, that they are preferred, or that no one else will do. */
export type Stylist = 'any' | 'prefers' | 'only';

/** No employee in particular, as a choice. */
export const ANYONE = 'Anyone';

/** Whether the services of one person are to be done by one employee, or each by another. */
export type Hands = 'any' | 'same' | 'different';

/** What is to be booked, before it has a time. */
export type Draft = {
  /** The services of each guest, at least one each. */
  guests: Wish[][];
  /** How much the customer wants the named employees. Their times come first in any case. */
  stylist: Stylist;
  hands: Hands;
  /** A local date, as 2026-06-02. */
  day: string;
  part: PartOfDay;
  /** The start that the customer asked for, in minutes after local midnight. */
  start: number | null;
};

export type Item = {
  serviceId: string;
  employeeId: string;
  preferredEmployeeId: string;
  employeeOnly: boolean;
  guest: number;
  extraMinutes: number;
};

let nextKey = 1;
export const wish = (serviceId = '', employeeId = ''): Wish => ({
  key: nextKey++,
  serviceId,
  employeeId,
  extraMinutes: 0,
});

export function newDraft(day: string, start: number | null, employeeId: string, serviceId = ''): Draft {
  return {
    guests: [[wish(serviceId, employeeId)]],
    // A column that was clicked is no wish of the customer.
    stylist: employeeId ? 'any' : 'prefers',
    hands: 'any',
    day,
    part: PartOfDay.UNSPECIFIED,
    start,
  };
}

/** What a visit is, to look for another time for it: its employees come first. */
export function draftOf(appointment: Appointment, day: string): Draft {
  const guests: Wish[][] = [];
  for (const item of appointment.items) {
    const { guest, serviceId, employeeId, extraMinutes } = item;
    while (guests.length <= guest) guests.push([]);
    guests[guest]?.push({ ...wish(serviceId, employeeId), extraMinutes, locked: isLocked(item) });
  }
  return { ...newDraft(day, null, ''), guests, stylist: 'any' };
}

/** As a visit, to book it once more: with whom its customer asked for. */
export function draftAgain(appointment: Appointment, day: string): Draft {
  const draft = draftOf(appointment, day);
  const left = [...appointment.items];
  const asked = (wish: Wish, guest: number): Wish => {
    const at = left.findIndex((item) => item.serviceId === wish.serviceId && item.guest === guest);
    const [item] = at < 0 ? [] : left.splice(at, 1);
    if (!item?.wishedEmployeeId) return wish;
    const locked = item.employeeWish === EmployeeWish.ONLY;
    return { ...wish, employeeId: item.wishedEmployeeId, locked };
  };
  const prefers = appointment.items.some((item) => item.employeeWish === EmployeeWish.PREFERS);
  const guests = draft.guests.map((wishes, guest) => wishes.map((wish) => asked(wish, guest)));
  return { ...draft, guests, stylist: prefers ? 'prefers' : 'any' };
}

const changeGuest = (draft: Draft, guest: number, change: (wishes: Wish[]) => Wish[]): Draft => ({
  ...draft,
  guests: draft.guests.map((wishes, index) => (index === guest ? change(wishes) : wishes)),
});

/** A customer mostly stays with one employee: who does the last service is named for the next one too. */
export const addWish = (draft: Draft, guest: number): Draft =>
  changeGuest(draft, guest, (wishes) =>
    wishes.length < MOST_SERVICES ? [...wishes, wish('', wishes.at(-1)?.employeeId)] : wishes,
  );

export const removeWish = (draft: Draft, guest: number, key: number): Draft =>
  changeGuest(draft, guest, (wishes) =>
    wishes.length > 1 ? wishes.filter((candidate) => candidate.key !== key) : wishes,
  );

/**
 * Changes a wish. The named employee stays only if they do the service, and a custom length only if the service is
 * the same and the length possible.
 */
export function changeWish(draft: Draft, guest: number, changed: Wish, services: Service[]): Draft {
  const service = services.find(({ id }) => id === changed.serviceId);
  const fits = !service || service.employeeIds.includes(changed.employeeId);
  const kept = fits ? changed : { ...changed, employeeId: '' };
  const lasts = (before: Wish) =>
    service && before.serviceId === service.id && isPossible(service, kept.employeeId, kept.extraMinutes);
  return changeGuest(draft, guest, (wishes) =>
    wishes.map((candidate) =>
      candidate.key === changed.key
        ? { ...kept, extraMinutes: lasts(candidate) ? kept.extraMinutes : 0 }
        : candidate,
    ),
  );
}

/** Friends mostly come for the same. */
export function addGuest(draft: Draft): Draft {
  if (draft.guests.length >= MOST_GUESTS) return draft;
  const copied = (draft.guests.at(-1) ?? []).map(({ serviceId }) => wish(serviceId));
  return { ...draft, guests: [...draft.guests, copied], hands: 'any' };
}

export const removeGuest = (draft: Draft, guest: number): Draft =>
  draft.guests.length > 1 ? { ...draft, guests: draft.guests.filter((_, index) => index !== guest) } : draft;

/** Whether every service is chosen, so that offers can be searched. */
export const isSearchable = (draft: Draft): boolean =>
  draft.guests.every((wishes) => wishes.every(({ serviceId }) => serviceId !== ''));

/** What the contract is asked for. */
export function itemsOf({ guests, stylist }: Draft): Item[] {
  return guests.flatMap((wishes, guest) =>
    wishes.map(({ serviceId, employeeId, extraMinutes, locked }) => {
      const only = employeeId !== '' && (stylist === 'only' || locked === true);
      return {
        serviceId,
        employeeId: only ? employeeId : '',
        preferredEmployeeId: only ? '' : employeeId,
        employeeOnly: only,
        guest,
        extraMinutes,
      };
    }),
  );
}

/** Whether the choice of one or several employees means anything: one guest with several services. */
export const handsMatter = ({ guests }: Draft): boolean =>
  guests.length === 1 && (guests[0]?.length ?? 0) > 1;

/** Ways to share services among different people that are looked at: enough for a salon's team. */
const MOST_WAYS = 12;

/**
 * The visits to look for. Usually one. Where one employee is to do everything, one for each who
 * can, and where each service is another's, one for each way to share them: the contract is asked
 * for employees by name.
 */
export function visitsOf(draft: Draft, services: Service[]): Item[][] {
  const items = itemsOf(draft);
  if (draft.hands === 'any' || !handsMatter(draft)) return [items];
  const able = items.map(({ serviceId, employeeId, preferredEmployeeId }) => {
    const named = employeeId || preferredEmployeeId;
    const skilled = services.find(({ id }) => id === serviceId)?.employeeIds ?? [];
    return named ? skilled.filter((id) => id === named) : skilled;
  });
  const ways = draft.hands === 'same' ? alone(able) : shared(able);
  return ways.map((employeeIds) =>
    items.map((item, index) => ({ ...item, employeeId: employeeIds[index] ?? '' })),
  );
}

/** Each employee who can do all of it. */
function alone(able: string[][]): string[][] {
  const [first = []] = able;
  return first.filter((id) => able.every((ids) => ids.includes(id))).map((id) => able.map(() => id));
}

/** All assignments in which no employee does two services. */
function shared(able: string[][], taken: string[] = []): string[][] {
  const [first, ...rest] = able;
  if (!first) return [taken];
  const ways: string[][] = [];
  for (const id of first) {
    if (taken.includes(id)) continue;
    ways.push(...shared(rest, [...taken, id]));
    if (ways.length >= MOST_WAYS) break;
  }
  return ways.slice(0, MOST_WAYS);
}
