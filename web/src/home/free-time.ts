import type { Column } from '../day/columns';
import { usualMinutes } from '../day/segments';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { SegmentKind, type Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { minuteOn } from '../time/local-day';
import { moment } from '../time/zoned';

const MINUTE_MS = 60_000;

/** Free time of one employee, and the services that fit into it. */
export type FreeTime = {
  employeeId: string;
  employeeName: string;
  from: Date;
  to: Date;
  minutes: number;
  fits: Service[];
  /** Whose visits it lies between. */
  after: string | undefined;
  before: string | undefined;
};

const withBuffers = (service: Service, employeeId: string) =>
  service.bufferBeforeMinutes + usualMinutes(service, employeeId) + service.bufferAfterMinutes;

/**
 * The service by which an employee's free time is found: the shortest, as every shorter stretch is of
 * no use. One with time to set leaves its employee free in between, and would find time that is not.
 */
export function probeFor(employeeId: string, services: readonly Service[]): Service | undefined {
  const done = services.filter(({ employeeIds }) => employeeIds.includes(employeeId));
  const throughout = done.filter(({ segments }) => segments.every(({ kind }) => kind === SegmentKind.ACTIVE));
  return [...(throughout.length > 0 ? throughout : done)].sort(
    (one, other) => withBuffers(one, employeeId) - withBuffers(other, employeeId),
  )[0];
}

type Stretch = { from: Date; to: Date };

/** The starts of one service as the time they take together, what lies in the past left out. */
export function stretchesOf(offers: readonly Offer[], now: Date): Stretch[] {
  const spans = offers
    .flatMap(({ startsAt, endsAt }) => {
      const [from, to] = [moment(startsAt), moment(endsAt)];
      return from && to && from >= now ? [{ from: from.getTime(), to: to.getTime() }] : [];
    })
    .sort((one, other) => one.from - other.from);
  // Of a service shorter than the step between starts, one start ends before the next begins.
  const step = Math.min(...spans.slice(1).map(({ from }, index) => from - (spans[index]?.from ?? from)));
  const stretches: { from: number; to: number; last: number }[] = [];
  for (const { from, to } of spans) {
    const current = stretches.at(-1);
    if (current && (from <= current.to || from - current.last === step)) {
      Object.assign(current, { to, last: from });
    } else {
      stretches.push({ from, to, last: from });
    }
  }
  return stretches.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }));
}

/** The services an employee could do in so many minutes, buffers included, the most expensive first. */
export function fitting(services: readonly Service[], employeeId: string, minutes: number): Service[] {
  return services
    .filter((service) => service.employeeIds.includes(employeeId))
    .filter((service) => withBuffers(service, employeeId) <= minutes)
    .sort((one, other) => other.priceMinor - one.priceMinor);
}

type Found = { column: Column; probe: Service; offers: readonly Offer[] };

/** The free times of all employees on a day, the next first. */
export function freeTimeOf(
  found: readonly Found[],
  services: readonly Service[],
  now: Date,
  zone: string,
): FreeTime[] {
  const all = found.flatMap(({ column, probe, offers }) =>
    stretchesOf(offers, now).map(({ from, to }): FreeTime => {
      const { employeeId, employeeName, cards, day } = column;
      const minutes = (to.getTime() - from.getTime()) / MINUTE_MS;
      const [start, end] = [minuteOn(from, day, zone), minuteOn(to, day, zone)];
      return {
        employeeId,
        employeeName,
        from,
        to,
        minutes,
        // The buffers of the probe are free as well.
        fits: fitting(services, employeeId, minutes + probe.bufferBeforeMinutes + probe.bufferAfterMinutes),
        after: cards.findLast((card) => card.to <= start)?.customer,
        before: cards.find((card) => card.from >= end)?.customer,
      };
    }),
  );
  return all.sort(
    (one, other) =>
      one.from.getTime() - other.from.getTime() || one.employeeName.localeCompare(other.employeeName),
  );
}
