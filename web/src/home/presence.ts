import { type Column, type PlacedCard, takesTime } from '../day/columns';
import { joined, type Span } from '../day/spans';
import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';

/** Whether an employee is at work at a minute of the day, and until or from when. */
export type Presence =
  | { kind: 'here'; until: number; again: number | undefined; doing: Doing }
  | { kind: 'later'; from: number; returning: boolean }
  | { kind: 'gone'; since: number }
  | { kind: 'off'; why: string };

/** What an employee at work does, and until which minute. */
export type Doing =
  | { kind: 'visit'; customer: string; state: AppointmentState; until: number }
  | { kind: 'other'; title: string; until: number }
  | { kind: 'free'; until: number | undefined };

/** Visits that take no time any more. */
const OVER = new Set([AppointmentState.COMPLETED, AppointmentState.CANCELLED, AppointmentState.NO_SHOW]);

export function presenceOf(column: Column, minute: number): Presence {
  // Hours that follow each other at once are one shift.
  const shifts = joined(column.working);
  const now = shifts.findIndex((shift) => holds(shift, minute));
  const shift = shifts[now];
  if (shift) {
    return {
      kind: 'here',
      until: shift.to,
      again: shifts[now + 1]?.from,
      doing: doingOf(column, minute, shift.to),
    };
  }
  const next = shifts.find(({ from }) => from > minute);
  if (next) return { kind: 'later', from: next.from, returning: next !== shifts[0] };
  const last = shifts.at(-1);
  if (last) return { kind: 'gone', since: last.to };
  return { kind: 'off', why: whyOff(column) };
}

function doingOf({ cards, shades }: Column, minute: number, end: number): Doing {
  const taking = cards.filter(({ appointment }) => !OVER.has(appointment.state));
  const card = taking.find((candidate) => isWith(candidate, minute));
  if (card) {
    const until = Math.min(
      card.to,
      ...card.processing.map(({ from }) => from).filter((from) => from > minute),
    );
    return { kind: 'visit', customer: card.customer, state: card.appointment.state, until };
  }
  const others = shades.filter(takesTime);
  const other = others.find((candidate) => holds(candidate, minute));
  if (other) return { kind: 'other', title: other.label, until: other.to };
  const begins = [
    ...taking.flatMap(({ from, processing }) => [from, ...processing.map(({ to }) => to)]),
    ...others.map(({ from }) => from),
  ].filter((from) => from > minute && from < end);
  return { kind: 'free', until: begins.length > 0 ? Math.min(...begins) : undefined };
}

/** While something sets, the employee has both hands free. */
function isWith(card: PlacedCard, minute: number): boolean {
  return holds(card, minute) && !card.processing.some((span) => holds(span, minute));
}

function whyOff({ shades }: Column): string {
  const off = shades.find(({ kind }) => kind === 'off') ?? shades.find(({ kind }) => kind === 'away');
  return off?.label ?? shades[0]?.label ?? NO_HOURS;
}

/** Off without time off or a closure: there are no hours that day. */
export const NO_HOURS = 'Not working';

const holds = ({ from, to }: Span, minute: number) => from <= minute && minute < to;

const ORDER = ['here', 'later', 'gone', 'off'] as const;

/** Who is here first, those who leave soonest before the others; then who comes, in that order. */
export function byPresence(one: Presence, other: Presence): number {
  return ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) || momentOf(one) - momentOf(other);
}

function momentOf(presence: Presence): number {
  switch (presence.kind) {
    case 'here':
      return presence.until;
    case 'later':
      return presence.from;
    case 'gone':
      return presence.since;
    case 'off':
      return 0;
  }
}
