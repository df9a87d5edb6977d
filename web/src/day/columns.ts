import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { BusyOrigin } from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import {
  type DayBlock,
  type DayColumn,
  type DayOpening,
  type DayUnavailable,
  DayUnavailableReason,
  type DayVisit,
} from '../gen/frontdesk/scheduling/v1/day_pb';
import { MINUTES_A_DAY } from '../time/local-day';
import { type Lane, lanesOf } from './lanes';
import { intersect, joined, minutesOf, type Span, spansOf, without } from './spans';
import { KIND_NAMES } from './time-off-words';
import { type Catalogue, cardsOf, type VisitCard } from './visit-cards';

export type Person = { id: string; name: string };

/** What is known of a salon's days. */
export type ScheduleData = {
  zone: string;
  employees: readonly Person[];
  catalogue: Catalogue;
  days: readonly DayOpening[];
  columns: readonly DayColumn[];
  visits: readonly DayVisit[];
  blocks: readonly DayBlock[];
  maySqueezeIn: boolean;
};

/** Time in which the column can't be booked, and why. */
export type Shade = Span & { label: string } & (
    | { kind: 'closed' | 'away' | 'off' | 'busy' }
    | { kind: 'blocked'; blockId: string }
  );

export type PlacedCard = VisitCard & Lane;

/** One employee on one day. */
export type Column = {
  key: string;
  day: string;
  employeeId: string;
  employeeName: string;
  /** Whether it is the viewer's. */
  own: boolean;
  working: Span[];
  hasOwnHours: boolean;
  shades: Shade[];
  cards: PlacedCard[];
};

type Known = Pick<ScheduleData, 'zone' | 'days' | 'columns' | 'visits' | 'blocks'>;

/** A column per day and employee, or per day of one employee. An employee whose name is not known comes last. */
export function columnsOf(data: Known, employeeId: string): Column[] {
  const cards = data.visits.flatMap((visit) => cardsOf(visit, data.zone));
  return data.columns
    .filter((column) => !employeeId || column.employeeId === employeeId)
    .sort(
      (one, other) =>
        one.date.localeCompare(other.date) || Number(!one.employeeName) - Number(!other.employeeName),
    )
    .map((column) => columnOf(data, cards, column));
}

/** The employees of some columns, each once. One whose name is not known yet is none of the salon's. */
export function employeesOf(columns: readonly DayColumn[]): Person[] {
  const named = columns.filter(({ employeeName }) => employeeName);
  return [...new Map(named.map(({ employeeId, employeeName }) => [employeeId, employeeName]))].map(
    ([id, name]) => ({ id, name }),
  );
}

function columnOf({ days, blocks }: Known, cards: readonly VisitCard[], column: DayColumn): Column {
  const { date, employeeId, hasOwnHours } = column;
  const here = cards.filter((card) => card.day === date && card.employeeId === employeeId);
  const lanes = lanesOf(here);
  const opening = days.find((day) => day.date === date);
  return {
    key: `${date}/${employeeId}`,
    day: date,
    employeeId,
    employeeName: column.employeeName || here[0]?.employeeName || 'Unassigned',
    own: column.own,
    working: spansOf(column.working),
    hasOwnHours,
    shades: shadesOf(column.unavailable, opening?.label ?? '', blocks),
    cards: here
      .map((card, index): PlacedCard => ({ ...card, ...(lanes[index] ?? { lane: 0, lanes: 1 }) }))
      .sort((one, other) => one.from - other.from),
  };
}

function shadesOf(
  unavailable: readonly DayUnavailable[],
  exception: string,
  blocks: readonly DayBlock[],
): Shade[] {
  const titles = new Map(blocks.map(({ block }) => [block?.id, block?.title]));
  const shades = unavailable
    .filter(({ reason }) => reason !== DayUnavailableReason.BUSY)
    .map((one): Shade => {
      const span = { from: one.fromMinute, to: one.toMinute };
      switch (one.reason) {
        case DayUnavailableReason.CLOSED:
          return { kind: 'closed', label: exception || 'Closed', ...span };
        case DayUnavailableReason.TIME_OFF:
          return { kind: 'off', label: KIND_NAMES[one.timeOffKind], ...span };
        case DayUnavailableReason.BLOCKED:
          return {
            kind: 'blocked',
            label: titles.get(one.blockId) || 'Blocked',
            blockId: one.blockId,
            ...span,
          };
        default:
          return { kind: 'away', label: 'Not working', ...span };
      }
    });
  return [...shades, ...busyShades(unavailable)];
}

const BUSY_LABELS = new Map([
  [BusyOrigin.CALENDAR, 'Busy in their calendar'],
  [BusyOrigin.PROVIDER, 'Busy in the booking system'],
]);

/** Entries of one origin may lie over each other: together they are one shade. */
function busyShades(unavailable: readonly DayUnavailable[]): Shade[] {
  const busy = unavailable.filter(({ reason }) => reason === DayUnavailableReason.BUSY);
  return [...BUSY_LABELS].flatMap(([origin, label]) =>
    joined(spansOf(busy.filter(({ busyOrigin }) => busyOrigin === origin))).map(
      (span): Shade => ({ kind: 'busy', label, ...span }),
    ),
  );
}

/** Whether something else takes the employee's time, as a visit would. */
export const takesTime = ({ kind }: Shade): boolean => kind === 'blocked' || kind === 'busy';

/** Whether the employee does not work that day and has no visits. */
export const isAbsent = ({ working, cards }: Column): boolean => working.length === 0 && cards.length === 0;

/**
 * Whether an absence can be reported: of someone who would be there, and not of a day that is over. Only a person
 * who decides on absences reports those of others.
 */
export const canBeAway = (column: Column, today: string, decides: boolean): boolean =>
  (decides || column.own) && column.day >= today && !isAbsent(column);

/** How full a column's day is. */
function loadOf({ cards, working, shades }: Column): { visits: number; percent: number | undefined } {
  const came = cards.filter(({ appointment }) => appointment.state !== AppointmentState.NO_SHOW);
  const booked = came.reduce((sum, card) => {
    const served = without([{ from: card.from, to: card.to }], card.processing);
    // Of the time at work: a visit during its employee’s absence does not count.
    return sum + minutesOf(intersect(served, working));
  }, 0);
  const bookable = minutesOf(without(working, shades.filter(takesTime)));
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
