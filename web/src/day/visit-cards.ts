import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { PlacedItem } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { DayItem, DayVisit } from '../gen/frontdesk/scheduling/v1/day_pb';
import { ContactOutcome } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { minuteOn } from '../time/local-day';
import { dayKey, moment } from '../time/zoned';
import { customerOf } from './naming';
import { type Span, spansOf } from './spans';
import { isLocked, wishText } from './wishes';

/** What one employee does for one visit without leaving the customer, as it is drawn in a column. */
export type VisitCard = Span & {
  key: string;
  appointment: Appointment;
  employeeId: string;
  employeeName: string;
  day: string;
  customer: string;
  services: string;
  serviceIds: string[];
  resources: string;
  /** The employee is free, the customer waits. */
  processing: Span[];
  /** Kept free around it. */
  buffers: Span[];
  /** Some of it lies outside of its employee's working time, though it is still to come. */
  stranded: boolean;
  /** That is so, and the customer knows. */
  told: boolean;
  /** "only Sofia Marino", while some of it is locked to its employee. */
  locked: string;
  /** Of how many cards of the visit this is which, when there are several. */
  part: { number: number; of: number } | undefined;
  /** Tells whether it looks another way than before. */
  look: string;
};

export type Catalogue = ReadonlyMap<string, Service>;

/** The cards of a visit, one for each stretch that an employee is with it. */
export function cardsOf({ appointment, items, contacts }: DayVisit, zone: string): VisitCard[] {
  if (!appointment) return [];
  const told = contacts.some(({ outcome }) => outcome === ContactOutcome.TOLD);
  const groups = together(appointment.items.map((placed, index): Part => ({ placed, spent: items[index] })));
  return groups.flatMap((parts, index) => {
    const [first, last] = [parts[0], parts.at(-1)];
    const [start, end] = [moment(first?.placed.startsAt), moment(last?.placed.endsAt)];
    if (!first || !last || !start || !end) return [];
    const day = dayKey(start, zone);
    const span = { from: minuteOn(start, day, zone), to: minuteOn(end, day, zone) };
    const customer = customerOf(appointment);
    const services = parts.map(({ placed }) => placed.serviceName).join(', ');
    const resources = [
      ...new Set(parts.flatMap(({ placed }) => placed.resources.map(({ resourceName }) => resourceName))),
    ].join(', ');
    const part = groups.length > 1 ? { number: index + 1, of: groups.length } : undefined;
    const processing = parts.flatMap((one) => processingOf(one, day, zone));
    const buffers = buffersOf(span, first.spent, last.spent);
    const stranded = parts.some(({ spent }) => spent?.isStranded);
    const locked = parts.map(({ placed }) => placed).find(isLocked);
    const { id, state, version, squeezedIn } = appointment;
    const { employeeId, employeeName } = first.placed;
    return {
      ...span,
      key: `${id}/${index}`,
      appointment,
      employeeId,
      employeeName,
      day,
      customer,
      services,
      serviceIds: parts.map(({ placed }) => placed.serviceId),
      resources,
      processing,
      buffers,
      stranded,
      told,
      locked: locked ? wishText(locked) : '',
      part,
      look: JSON.stringify([
        [id, state, String(version), squeezedIn, employeeId, employeeName, day, part],
        [span, processing, buffers, customer, services, resources, stranded, told, locked !== undefined],
      ]),
    };
  });
}

/** An item, and how its employee spends its time. */
type Part = { placed: PlacedItem; spent: DayItem | undefined };

/** Items by employee, as long as one follows the other at once. */
function together(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [];
  const inOrder = [...parts].sort((one, other) => startOf(one) - startOf(other));
  for (const part of inOrder) {
    const group = groups.find((candidate) => {
      const last = candidate.at(-1);
      return last?.placed.employeeId === part.placed.employeeId && endOf(last) === startOf(part);
    });
    if (group) group.push(part);
    else groups.push([part]);
  }
  return groups;
}

const startOf = ({ placed }: Part) => moment(placed.startsAt)?.getTime() ?? 0;
const endOf = ({ placed }: Part) => moment(placed.endsAt)?.getTime() ?? 0;

function processingOf({ placed, spent }: Part, day: string, zone: string): Span[] {
  const start = moment(placed.startsAt);
  if (!start || !spent) return [];
  const begun = minuteOn(start, day, zone);
  return spansOf(spent.processing).map(({ from, to }) => ({ from: begun + from, to: begun + to }));
}

function buffersOf({ from, to }: Span, first: DayItem | undefined, last: DayItem | undefined): Span[] {
  return [
    { from: from - (first?.bufferBeforeMinutes ?? 0), to: from },
    { from: to, to: to + (last?.bufferAfterMinutes ?? 0) },
  ].filter((span) => span.from < span.to);
}
