import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { PlacedItem } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { SegmentKind, type Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { minuteOn } from '../time/local-day';
import { dayKey, moment } from '../time/zoned';
import { customerOf } from './naming';
import { minutesBy } from './segments';
import type { Span } from './spans';

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
  /** Of how many cards of the visit this is which, when there are several. */
  part: { number: number; of: number } | undefined;
  /** Tells whether it looks another way than before. */
  look: string;
};

export type Catalogue = ReadonlyMap<string, Service>;

/** The cards of a visit, one for each stretch that an employee is with it. A cancelled visit takes no time. */
export function cardsOf(appointment: Appointment, catalogue: Catalogue, zone: string): VisitCard[] {
  if (appointment.state === AppointmentState.CANCELLED) return [];
  const groups = together(appointment.items);
  return groups.flatMap((items, index) => {
    const [first, last] = [items[0], items.at(-1)];
    const [start, end] = [moment(first?.startsAt), moment(last?.endsAt)];
    if (!first || !last || !start || !end) return [];
    const day = dayKey(start, zone);
    const span = { from: minuteOn(start, day, zone), to: minuteOn(end, day, zone) };
    const customer = customerOf(appointment);
    const services = items.map(({ serviceName }) => serviceName).join(', ');
    const resources = [
      ...new Set(items.flatMap((item) => item.resources.map(({ resourceName }) => resourceName))),
    ].join(', ');
    const part = groups.length > 1 ? { number: index + 1, of: groups.length } : undefined;
    const processing = items.flatMap((item) => processingOf(item, catalogue, day, zone));
    const buffers = buffersOf(span, catalogue.get(first.serviceId), catalogue.get(last.serviceId));
    const { id, state, version, squeezedIn } = appointment;
    return {
      ...span,
      key: `${id}/${index}`,
      appointment,
      employeeId: first.employeeId,
      employeeName: first.employeeName,
      day,
      customer,
      services,
      serviceIds: items.map(({ serviceId }) => serviceId),
      resources,
      processing,
      buffers,
      part,
      look: JSON.stringify([
        [id, state, String(version), squeezedIn, first.employeeId, first.employeeName, day, part],
        [span, processing, buffers, customer, services, resources],
      ]),
    };
  });
}

/** Items by employee, as long as one follows the other at once. */
function together(items: readonly PlacedItem[]): PlacedItem[][] {
  const groups: PlacedItem[][] = [];
  const inOrder = [...items].sort((one, other) => startOf(one) - startOf(other));
  for (const item of inOrder) {
    const group = groups.find((candidate) => {
      const last = candidate.at(-1);
      return last?.employeeId === item.employeeId && endOf(last) === startOf(item);
    });
    if (group) group.push(item);
    else groups.push([item]);
  }
  return groups;
}

const startOf = (item: PlacedItem) => moment(item.startsAt)?.getTime() ?? 0;
const endOf = (item: PlacedItem) => moment(item.endsAt)?.getTime() ?? 0;

/** Where the employee is free within an item; unknown if the service has changed since the booking. */
function processingOf(item: PlacedItem, catalogue: Catalogue, day: string, zone: string): Span[] {
  const service = catalogue.get(item.serviceId);
  const [start, end] = [moment(item.startsAt), moment(item.endsAt)];
  if (!service || !start || !end) return [];
  const minutes = minutesBy(service, item.employeeId);
  minutes.push((minutes.pop() ?? 0) + item.extraMinutes);
  const total = minutes.reduce((sum, some) => sum + some, 0);
  if (total * 60_000 !== end.getTime() - start.getTime()) return [];
  let at = minuteOn(start, day, zone);
  return service.segments.flatMap(({ kind }, index) => {
    const from = at;
    at += minutes[index] ?? 0;
    return kind === SegmentKind.PROCESSING ? [{ from, to: at }] : [];
  });
}

function buffersOf({ from, to }: Span, first: Service | undefined, last: Service | undefined): Span[] {
  return [
    { from: from - (first?.bufferBeforeMinutes ?? 0), to: from },
    { from: to, to: to + (last?.bufferAfterMinutes ?? 0) },
  ].filter((span) => span.from < span.to);
}
