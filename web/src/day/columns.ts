import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Block } from '../gen/frontdesk/scheduling/v1/block_pb';
import type { OpeningException } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import type { DayHours, WeeklySchedule, WeeklySpan } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { type TimeOff, TimeOffKind } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { MINUTES_A_DAY, minuteOn } from '../time/local-day';
import { moment } from '../time/zoned';
import { type Lane, lanesOf } from './lanes';
import { intersect, minutesOf, type Span, without } from './spans';
import { type Catalogue, cardsOf, type VisitCard } from './visit-cards';
import { openingOn, workingOn } from './working-time';

export type Person = { id: string; name: string };

/** What is known of a salon's days. */
export type ScheduleData = {
  zone: string;
  employees: readonly Person[];
  catalogue: Catalogue;
  visits: readonly Appointment[];
  openingWeek: readonly WeeklySpan[];
  exceptions: readonly OpeningException[];
  timeOff: readonly TimeOff[];
  blocks: readonly Block[];
  /** By employee; absent where they can't be read. */
  weeks: ReadonlyMap<string, readonly WeeklySchedule[]>;
  dayHours: ReadonlyMap<string, readonly DayHours[]>;
};

/** Time in which the column can't be booked, and why. */
export type Shade = Span & { label: string } & (
    | { kind: 'closed' | 'away' | 'off' }
    | { kind: 'blocked'; blockId: string }
  );

export type PlacedCard = VisitCard & Lane;

/** One employee on one day. */
export type Column = {
  key: string;
  day: string;
  employeeId: string;
  employeeName: string;
  working: Span[];
  shades: Shade[];
  cards: PlacedCard[];
};

/** A column per employee on a day, or per day of an employee, in the order given. */
export function columnsOf(data: ScheduleData, days: readonly string[], employeeId: string): Column[] {
  const cards = data.visits.flatMap((visit) => cardsOf(visit, data.catalogue, data.zone));
  return days.flatMap((day) =>
    peopleOf(data, cards, employeeId).map((person) => columnOf(data, cards, day, person)),
  );
}

/** All employees, or the given one; a former employee who still has visits is included. */
function peopleOf({ employees }: ScheduleData, cards: readonly VisitCard[], employeeId: string): Person[] {
  if (employeeId) return employees.filter(({ id }) => id === employeeId);
  const known = new Set(employees.map(({ id }) => id));
  const former = new Map(
    cards
      .filter((card) => !known.has(card.employeeId))
      .map((card) => [card.employeeId, card.employeeName || 'Unassigned']),
  );
  return [...employees, ...[...former].map(([id, name]) => ({ id, name }))];
}

function columnOf(data: ScheduleData, cards: readonly VisitCard[], day: string, person: Person): Column {
  const { zone } = data;
  const opening = openingOn(day, data.openingWeek, data.exceptions);
  const weeks = data.weeks.get(person.id);
  // Unknown hours must not look like a day off.
  const own = weeks ? workingOn(day, weeks, data.dayHours.get(person.id) ?? []) : opening.spans;
  const during = (startsAt: Date | null, endsAt: Date | null): Span[] => {
    const [from, to] = [startsAt, endsAt].map((date) => (date ? minuteOn(date, day, zone) : 0));
    return from !== undefined && to !== undefined && from < to ? [{ from, to }] : [];
  };
  const mine = (record: { employeeId: string }) => record.employeeId === person.id;
  const off = data.timeOff
    .filter(mine)
    .flatMap((one) =>
      during(moment(one.startsAt), moment(one.endsAt)).map(
        (span): Shade => ({ ...span, kind: 'off', label: TIME_OFF[one.kind] }),
      ),
    );
  const blocked = data.blocks
    .filter(mine)
    .flatMap((one) =>
      during(moment(one.startsAt), moment(one.endsAt)).map(
        (span): Shade => ({ ...span, kind: 'blocked', label: one.title, blockId: one.id }),
      ),
    );
  const scheduled = intersect(opening.spans, own);
  const closed = without([{ from: 0, to: MINUTES_A_DAY }], opening.spans).map(
    (span): Shade => ({ ...span, kind: 'closed', label: opening.label || 'Closed' }),
  );
  const away = without(without(opening.spans, own), off).map(
    (span): Shade => ({ ...span, kind: 'away', label: 'Not working' }),
  );
  const here = cards.filter((card) => card.day === day && card.employeeId === person.id);
  const lanes = lanesOf(here);
  return {
    key: `${day}/${person.id}`,
    day,
    employeeId: person.id,
    employeeName: person.name,
    working: without(scheduled, off),
    shades: [...closed, ...away, ...off, ...blocked],
    cards: here
      .map((card, index): PlacedCard => ({ ...card, ...(lanes[index] ?? { lane: 0, lanes: 1 }) }))
      .sort((one, other) => one.from - other.from),
  };
}

const TIME_OFF: Record<TimeOffKind, string> = {
  // The reason for a colleague's absence is private.
  [TimeOffKind.UNSPECIFIED]: 'Time off',
  [TimeOffKind.HOLIDAY]: 'Holiday',
  [TimeOffKind.SICK]: 'Sick',
  [TimeOffKind.TRAINING]: 'Training',
  [TimeOffKind.OTHER]: 'Time off',
};

/** How full a column's day is. */
function loadOf({ cards, working, shades }: Column): { visits: number; percent: number | undefined } {
  const came = cards.filter(({ appointment }) => appointment.state !== AppointmentState.NO_SHOW);
  const booked = came.reduce(
    (sum, card) => sum + minutesOf(without([{ from: card.from, to: card.to }], card.processing)),
    0,
  );
  const blocked = shades.filter(({ kind }) => kind === 'blocked');
  const bookable = minutesOf(without(working, blocked));
  return {
    visits: new Set(cards.map(({ appointment }) => appointment.id)).size,
    percent: bookable > 0 ? Math.round((100 * booked) / bookable) : undefined,
  };
}

/** The same in words: "2 visits · 18%", and of what, where there is room for it. */
export function loadText(column: Column): { text: string; unit?: string } {
  const { visits, percent } = loadOf(column);
  const count = visits === 1 ? '1 visit' : `${visits} visits`;
  if (percent !== undefined) return { text: `${count} · ${percent}%`, unit: ' booked' };
  const closed = column.shades.some(({ kind, from, to }) => kind === 'closed' && to - from === MINUTES_A_DAY);
  const why = column.shades.find(({ kind }) => kind === 'off')?.label ?? (closed ? 'Closed' : 'Not working');
  return { text: visits > 0 ? `${count} · ${why}` : why };
}

/** Where a day without hours or visits is shown from and to. */
const ORDINARY: Span = { from: 8 * 60, to: 19 * 60 };

/** The whole hours that hold all that matters of the days, and a little before and after. */
export function shownHours(columns: readonly Column[]): Span {
  const spans = columns.flatMap(({ working, cards, shades }) => [
    ...working,
    ...cards,
    ...shades.filter(({ kind }) => kind === 'blocked'),
  ]);
  if (spans.length === 0) return ORDINARY;
  const from = Math.min(...spans.map((span) => span.from)) - 30;
  const to = Math.max(...spans.map((span) => span.to)) + 30;
  return {
    from: Math.max(0, Math.floor(from / 60) * 60),
    to: Math.min(MINUTES_A_DAY, Math.ceil(to / 60) * 60),
  };
}
