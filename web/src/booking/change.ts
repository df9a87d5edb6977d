import { wishText } from '../day/wishes';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { EmployeeWish, type Offer, type PlacedItem } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { ANYONE, type Draft, draftOf, type Item, type Stylist, type Wish } from './draft';
import { pinned } from './offers';

/** Whom the customer asks for after a change: as before, or one answer for all services. */
export type WishChoice = 'kept' | Stylist;

/** A visit that is being changed: the draft of it, and which service of it each line was. */
export type Changing = { draft: Draft; before: ReadonlyMap<number, PlacedItem> };

/** A service as it shall be, as the contract takes it. */
export type ChangedItem = {
  serviceId: string;
  employeeId: string;
  guest: number;
  extraMinutes: number;
  employeeWish: EmployeeWish;
  wishedEmployeeId: string;
};

/** A visit to be changed, at its own start. */
export function changing(visit: Appointment, day: string, start: number): Changing {
  const draft = { ...draftOf(visit, day), start };
  const lines = draft.guests.map((wishes, guest) => {
    const own = visit.items.filter((item) => item.guest === guest);
    return wishes.flatMap(({ key }, index): [number, PlacedItem][] => {
      const item = own[index];
      return item ? [[key, item]] : [];
    });
  });
  return { draft, before: new Map(lines.flat()) };
}

/** The draft to look for times with: who is named does it. */
export const toBePlaced = (draft: Draft): Draft => ({ ...draft, stylist: 'only' });

/** All services as they shall be; at an offer with the employees it has for them. */
export function changedItems({ draft, before }: Changing, wish: WishChoice, offer?: Offer): ChangedItem[] {
  const lines = draft.guests.flatMap((wishes, guest) => wishes.map((line) => ({ line, guest })));
  const named = lines.map(
    ({ line, guest }): Item => ({
      serviceId: line.serviceId,
      employeeId: line.employeeId,
      preferredEmployeeId: '',
      employeeOnly: false,
      guest,
      extraMinutes: line.extraMinutes,
    }),
  );
  const items = offer ? pinned(named, offer, 'any') : named;
  return items.map(({ serviceId, employeeId, guest, extraMinutes }, index) => {
    const line = lines[index]?.line;
    return {
      serviceId,
      employeeId,
      guest,
      extraMinutes,
      ...wishOf(line, line && before.get(line.key), wish),
    };
  });
}

function wishOf(line: Wish | undefined, before: PlacedItem | undefined, wish: WishChoice) {
  const none = { employeeWish: EmployeeWish.UNSPECIFIED, wishedEmployeeId: '' };
  if (wish === 'kept') {
    if (!before || before.serviceId !== line?.serviceId) return none;
    return { employeeWish: before.employeeWish, wishedEmployeeId: before.wishedEmployeeId };
  }
  if (wish === 'any' || !line?.employeeId) return none;
  const employeeWish = wish === 'only' ? EmployeeWish.ONLY : EmployeeWish.PREFERS;
  return { employeeWish, wishedEmployeeId: line.employeeId };
}

const placing = ({ serviceId, employeeId, guest, extraMinutes }: ChangedItem | PlacedItem) =>
  [guest, serviceId, employeeId, extraMinutes].join();
const wishing = (item: ChangedItem | PlacedItem) =>
  [placing(item), item.employeeWish, item.wishedEmployeeId].join();

const same = <T>(one: readonly T[], other: readonly T[]) =>
  one.toSorted().join(';') === other.toSorted().join(';');

/** Whether the services take other time than before, or other employees. */
export const isPlacedAnew = ({ items }: Appointment, changed: readonly ChangedItem[]): boolean =>
  !same(items.map(placing), changed.map(placing));

/** Whether anything about the services is different. */
export const isChanged = ({ items }: Appointment, changed: readonly ChangedItem[]): boolean =>
  !same(items.map(wishing), changed.map(wishing));

/**
 * Who does each service of a visit after the change; empty for one that is gone. A visit of the same series keeps
 * who does what the named one keeps with its employee.
 */
export function employeesAfter(
  named: Appointment,
  visit: Appointment,
  changed: readonly ChangedItem[],
): string[] {
  const takenOf = (items: readonly { serviceId: string; guest: number; employeeId: string }[]) => {
    const left = [...items];
    return (serviceId: string, guest: number) => {
      const at = left.findIndex((item) => item.serviceId === serviceId && item.guest === guest);
      return at < 0 ? undefined : left.splice(at, 1)[0];
    };
  };
  const [afterOf, nowOf] = [takenOf(changed), takenOf(named.items)];
  return visit.items.map(({ serviceId, guest, employeeId }) => {
    const [after, now] = [afterOf(serviceId, guest), nowOf(serviceId, guest)];
    if (!after) return '';
    return now && after.employeeId === now.employeeId ? employeeId : after.employeeId;
  });
}

/** Whom the customer asks for now, as one phrase: "Only Sofia Marino". */
export function wishesText({ items }: Appointment): string {
  const text = [...new Set(items.map((item) => wishText(item) || ANYONE.toLowerCase()))].join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The wish as it is, and what it could become with the named employees; an answer that changes nothing is left out. */
export function wishOptions(
  appointment: Appointment,
  change: Changing,
  chosen: WishChoice,
  people: string,
): [WishChoice, string][] {
  const kept = wishesText(appointment);
  const others: [WishChoice, string][] = [['any', ANYONE]];
  if (people) others.push(['prefers', `Prefers ${people}`], ['only', `Only ${people}`]);
  const differs = (choice: WishChoice) =>
    choice === chosen || isChanged(appointment, changedItems(change, choice));
  return [['kept', kept], ...others.filter(([choice, text]) => text !== kept && differs(choice))];
}
