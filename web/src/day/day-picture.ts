import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { DayVisit } from '../gen/frontdesk/scheduling/v1/day_pb';
import type { ProposalLine, ProposedPlace } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { minuteOn } from '../time/local-day';
import { moment } from '../time/zoned';
import type { Column, Person } from './columns';
import { type Lane, lanesOf } from './lanes';
import { movedTo, placeOf } from './move-visit';
import { type Span, without } from './spans';
import { cardsOf } from './visit-cards';

/** A visit in a small picture of a day. */
type PictureCard = Span & Lane & { key: string; name: string; changed: boolean };

export type PictureColumn = { employeeId: string; name: string; closed: Span[]; cards: PictureCard[] };

type Known = {
  day: string;
  zone: string;
  columns: readonly Column[];
  visits: readonly DayVisit[];
  employees: readonly Person[];
};

/** The columns that a proposal changes, as they were before it and as they would be after. */
export function picturesOf(
  lines: readonly ProposalLine[],
  known: Known,
): { before: PictureColumn[]; after: PictureColumn[] } {
  const touched = new Set(
    lines.flatMap(({ from, to }) => [from, to].flatMap((place) => place?.employeeIds ?? [])),
  );
  const shown = known.columns.filter(({ employeeId }) => touched.has(employeeId));
  const changedIds = new Set(lines.map(({ appointmentId }) => appointmentId));
  const picture = (placeIn: (line: ProposalLine) => ProposedPlace | undefined) =>
    shown.map((column) => pictureOf(column, lines, placeIn, changedIds, known));
  return {
    before: picture(({ from }) => from),
    // A visit without a new place stays until the customer was called.
    after: picture(({ from, to }) => to ?? from),
  };
}

/** Where a visit is that a proposal changes, or where it would be. */
export type Ghost = Span & Lane & { key: string; name: string; then: boolean };

/** What a proposal changes, by the key of the column that it is drawn in: where visits leave, and where they go. */
export function ghostsOf(lines: readonly ProposalLine[], known: Known): ReadonlyMap<string, Ghost[]> {
  const { before, after } = picturesOf(lines, known);
  const ghostsIn = (columns: readonly PictureColumn[], employeeId: string, then: boolean): Ghost[] =>
    columns
      .filter((column) => column.employeeId === employeeId)
      .flatMap(({ cards }) => cards.filter(({ changed }) => changed))
      .map(({ from, to, lane, lanes, key, name }) => ({
        ...{ from, to, lane, lanes, name, then },
        key: `${then ? 'then' : 'now'}/${key}`,
      }));
  const ghosts = ({ key, employeeId }: Column): [string, Ghost[]] => [
    key,
    [...ghostsIn(before, employeeId, false), ...ghostsIn(after, employeeId, true)],
  ];
  return new Map(known.columns.map(ghosts).filter(([, drawn]) => drawn.length > 0));
}

function pictureOf(
  column: Column,
  lines: readonly ProposalLine[],
  placeIn: (line: ProposalLine) => ProposedPlace | undefined,
  changedIds: ReadonlySet<string>,
  known: Known,
): PictureColumn {
  const others = column.cards.filter(({ appointment }) => !changedIds.has(appointment.id));
  const placed = lines.flatMap((line) =>
    spansOf(line, placeIn(line), known)
      .filter(({ employeeId }) => employeeId === column.employeeId)
      .map(({ from, to }, index) => ({
        from,
        to,
        key: `${line.id}/${index}`,
        name: line.customerName || 'Walk-in',
        changed: true,
      })),
  );
  const cards = [
    ...others.map(({ from, to, key, customer }) => ({ from, to, key, name: customer, changed: false })),
    ...placed,
  ];
  const lanes = lanesOf(cards);
  return {
    employeeId: column.employeeId,
    name: column.employeeName,
    closed: without([{ from: 0, to: 1440 }], column.working),
    cards: cards.map((card, index) => ({ ...card, ...(lanes[index] ?? { lane: 0, lanes: 1 }) })),
  };
}

/** When each employee is with a line's visit, at a place. */
function spansOf(
  { appointmentId }: ProposalLine,
  place: ProposedPlace | undefined,
  { day, zone, visits, employees }: Known,
): (Span & { employeeId: string })[] {
  const [start, end] = [moment(place?.startsAt), moment(place?.endsAt)];
  if (!place || !start || !end) return [];
  const visit = visits.find(({ appointment }) => appointment?.id === appointmentId);
  if (!visit?.appointment) {
    const whole = { from: minuteOn(start, day, zone), to: minuteOn(end, day, zone) };
    return [...new Set(place.employeeIds)].map((employeeId) => ({ ...whole, employeeId }));
  }
  const nameOf = (id: string) => employees.find((employee) => employee.id === id)?.name ?? '';
  const there = movedTo(
    visit.appointment,
    { ...placeOf(visit.appointment), startsAt: start, employeeIds: place.employeeIds },
    nameOf,
  );
  // One that has begun ends later, by what does it last.
  const last = there.items.at(-1);
  if (last) last.endsAt = timestampFromDate(end);
  return cardsOf({ ...visit, appointment: there }, zone);
}

/** The hours that hold all of some pictures. */
export function hoursOf(columns: readonly PictureColumn[]): Span {
  const spans = columns.flatMap(({ cards }) => cards);
  const working = columns.flatMap(({ closed }) => without([{ from: 0, to: 1440 }], closed));
  const all = [...spans, ...working];
  if (all.length === 0) return { from: 540, to: 1080 };
  return {
    from: Math.floor(Math.min(...all.map(({ from }) => from)) / 60) * 60,
    to: Math.ceil(Math.max(...all.map(({ to }) => to)) / 60) * 60,
  };
}
