import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { moment } from '../time/zoned';
import type { Column, PlacedCard } from './columns';
import { overlap, without } from './spans';

const AHEAD = new Set([AppointmentState.BOOKED, AppointmentState.CONFIRMED, AppointmentState.ARRIVED]);

/** Visits outside their employee's working time, except those squeezed in on purpose. */
export function outsideHours({ cards, working }: Column): PlacedCard[] {
  return cards.filter(
    ({ appointment, from, to, processing }) =>
      AHEAD.has(appointment.state) &&
      !appointment.squeezedIn &&
      without(without([{ from, to }], processing), working).length > 0,
  );
}

/** A visit that has to be moved, and why. */
export type ToBeMoved = { card: PlacedCard; why: string };

/** The visits of some days that are not over and whose employee is not at work, each once, by start. */
export function toBeMoved(columns: readonly Column[], now: Date): ToBeMoved[] {
  const seen = new Set<string>();
  return columns
    .flatMap((column) => outsideHours(column).map((card) => ({ card, why: whyOf(card, column) })))
    .sort(({ card: one }, { card: other }) => one.day.localeCompare(other.day) || one.from - other.from)
    .filter(({ card: { appointment } }) => {
      const end = moment(appointment.endsAt);
      const settled = seen.has(appointment.id) || (end !== null && end <= now);
      seen.add(appointment.id);
      return !settled;
    });
}

/** "Sick", "Not working", "Closed". */
function whyOf(card: PlacedCard, { shades }: Column): string {
  const away = shades.filter((shade) => shade.kind !== 'blocked' && overlap(shade, card));
  return (away.find(({ kind }) => kind === 'off') ?? away[0])?.label ?? '';
}
