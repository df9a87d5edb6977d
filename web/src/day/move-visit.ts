import { clone } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type Appointment,
  AppointmentSchema,
  AppointmentState,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { DayVisit } from '../gen/frontdesk/scheduling/v1/day_pb';
import { moment } from '../time/zoned';
import { overlap, type Span, without } from './spans';
import type { Catalogue, VisitCard } from './visit-cards';

/** Where a visit shall be: when it starts, who does each of its services, and how much longer than planned. */
export type Destination = { startsAt: Date; employeeIds: string[]; extraMinutes: number[] };

/** Who asked for a move, and is told how it went. */
export type Told = { onDone: () => void; onRefused: (reason: string) => void };

/** The contract's step of lengths, and the shortest stretch of a service. */
export const STEP_MINUTES = 5;

/** States in which a visit has not begun. */
const MOVABLE = new Set([AppointmentState.BOOKED, AppointmentState.CONFIRMED, AppointmentState.ARRIVED]);

export const isMovable = ({ state }: Appointment) => MOVABLE.has(state);

/** Where a visit is. */
export function placeOf({ startsAt, items }: Appointment): Destination {
  return {
    startsAt: moment(startsAt) ?? new Date(0),
    employeeIds: items.map(({ employeeId }) => employeeId),
    extraMinutes: items.map(({ extraMinutes }) => extraMinutes),
  };
}

/** Where a visit would be that ends so many minutes later, or earlier: what is done last takes longer. */
export function endingLater(appointment: Appointment, minutes: number): Destination {
  const place = placeOf(appointment);
  const end = moment(appointment.endsAt)?.getTime();
  const isLast = appointment.items.map(({ endsAt }) => moment(endsAt)?.getTime() === end);
  return {
    ...place,
    extraMinutes: place.extraMinutes.map((extra, index) => (isLast[index] ? extra + minutes : extra)),
  };
}

/** What becomes of a visit that stays where it is, as a sentence goes on after its customer's name. */
export function lengthText(visit: Appointment, to: Destination): string | undefined {
  const more = visit.items.map(
    (item, index) => (to.extraMinutes[index] ?? item.extraMinutes) - item.extraMinutes,
  );
  const minutes = more.find((minutes) => minutes !== 0);
  const stays = samePlace({ ...placeOf(visit), extraMinutes: to.extraMinutes }, to);
  if (!stays || minutes === undefined) return undefined;
  return `is ${Math.abs(minutes)} minutes ${minutes > 0 ? 'longer' : 'shorter'}`;
}

/** Where a visit would be with one of its cards moved: what is with other employees goes along in time. */
export function withCardAt(
  { appointment, employeeId, serviceIds }: VisitCard,
  shiftMs: number,
  to: string,
): Destination {
  const { startsAt, employeeIds, extraMinutes } = placeOf(appointment);
  const moved = new Set(serviceIds);
  return {
    extraMinutes,
    startsAt: new Date(startsAt.getTime() + shiftMs),
    employeeIds: employeeIds.map((id, index) =>
      id === employeeId && moved.has(appointment.items[index]?.serviceId ?? '') ? to : id,
    ),
  };
}

export function samePlace(one: Destination, other: Destination): boolean {
  return (
    one.startsAt.getTime() === other.startsAt.getTime() &&
    one.employeeIds.join() === other.employeeIds.join() &&
    one.extraMinutes.join() === other.extraMinutes.join()
  );
}

/** The optimistic visit after the move. */
export function movedTo(
  appointment: Appointment,
  { startsAt, employeeIds, extraMinutes }: Destination,
  nameOf: (employeeId: string) => string,
): Appointment {
  const moved = clone(AppointmentSchema, appointment);
  const shift = startsAt.getTime() - placeOf(appointment).startsAt.getTime();
  const later = (time: Appointment['startsAt']) => {
    const date = moment(time);
    return date ? timestampFromDate(new Date(date.getTime() + shift)) : undefined;
  };
  const put = (target: Pick<Appointment, 'startsAt' | 'endsAt'>) => {
    const [start, end] = [later(target.startsAt), later(target.endsAt)];
    if (start) target.startsAt = start;
    if (end) target.endsAt = end;
  };
  put(moved);
  const ends = moment(moved.endsAt)?.getTime() ?? 0;
  for (const [index, item] of moved.items.entries()) {
    put(item);
    const longer = ((extraMinutes[index] ?? item.extraMinutes) - item.extraMinutes) * 60_000;
    const end = (moment(item.endsAt)?.getTime() ?? 0) + longer;
    item.extraMinutes += longer / 60_000;
    item.endsAt = timestampFromDate(new Date(end));
    // The server decides how the following items move: until then only the end moves.
    if (longer !== 0 && end - longer === ends) moved.endsAt = item.endsAt;
    const employeeId = employeeIds[index];
    if (!employeeId || employeeId === item.employeeId) continue;
    item.employeeId = employeeId;
    item.employeeName = nameOf(employeeId);
  }
  return moved;
}

/** A visit of the day where it was moved to. Whether its employee is at work there is the server's to say. */
export function elsewhere(visit: DayVisit, appointment: Appointment): DayVisit {
  const items = visit.items.map((item) => ({ ...item, isStranded: false }));
  return { ...visit, appointment, items, contacts: [] };
}

type Place = {
  employeeId: string;
  employeeName: string;
  working: readonly Span[];
  /** Time off, and what else takes time. */
  taken: readonly (Span & { label: string })[];
  cards: readonly VisitCard[];
};

/** The obstacle to a card there, as far as the page knows; the server decides. */
export function obstacleAt(
  card: VisitCard,
  from: number,
  place: Place,
  catalogue: Catalogue,
): string | undefined {
  const name = place.employeeName;
  const unskilled = card.serviceIds
    .map((id) => catalogue.get(id))
    .find((service) => service && !service.employeeIds.includes(place.employeeId));
  if (unskilled) return `${name} does not do ${unskilled.name}`;
  const shift = from - card.from;
  const wanted = busyOf(card).map((span) => ({ from: span.from + shift, to: span.to + shift }));
  const meets = (span: Span) => wanted.some((one) => overlap(one, span));
  const taken = place.taken.find(meets);
  if (taken) return `${name}: ${taken.label}`;
  const other = place.cards.find(
    (candidate) =>
      candidate.appointment.id !== card.appointment.id &&
      candidate.appointment.state !== AppointmentState.NO_SHOW &&
      busyOf(candidate).some(meets),
  );
  if (other) return `${name} is with ${other.customer}`;
  if (wanted.some((span) => without([span], place.working).length > 0)) return `Outside ${name}’s hours`;
  return undefined;
}

/** When the employee is needed. */
function busyOf(card: VisitCard): Span[] {
  return without([{ from: card.from, to: card.to }], card.processing);
}
