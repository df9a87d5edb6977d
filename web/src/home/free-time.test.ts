import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import type { Column } from '../day/columns';
import { usualMinutes } from '../day/segments';
import { OfferSchema } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { SegmentKind, ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { instantOf } from '../time/local';
import { timeOfDay } from '../time/zoned';
import { fitting, freeTimeOf, probeFor, stretchesOf } from './free-time';

const ZONE = 'Europe/London';
const DAY = '2026-11-24';
const at = (minute: number) => instantOf(DAY, minute, ZONE);
const MORNING = at(0);

const active = (minutes: number) => ({ kind: SegmentKind.ACTIVE, minutes });
const fringe = create(ServiceSchema, {
  id: 'fringe',
  name: 'Fringe trim',
  employeeIds: ['ana', 'ben'],
  segments: [active(15)],
  priceMinor: 1200,
});
const cut = create(ServiceSchema, {
  id: 'cut',
  name: 'Cut',
  employeeIds: ['ana'],
  segments: [active(45)],
  bufferAfterMinutes: 5,
  priceMinor: 5200,
  overrides: [{ employeeId: 'ana', segmentMinutes: [40] }],
});
const toner = create(ServiceSchema, {
  id: 'toner',
  name: 'Toner',
  employeeIds: ['ana', 'cy'],
  segments: [{ kind: SegmentKind.PROCESSING, minutes: 10 }],
  priceMinor: 2000,
});
const services = [cut, fringe, toner];

const offer = (from: number, minutes = 15) =>
  create(OfferSchema, {
    startsAt: timestampFromDate(at(from)),
    endsAt: timestampFromDate(at(from + minutes)),
  });

const texts = (offers: ReturnType<typeof offer>[], now = MORNING) =>
  stretchesOf(offers, now).map(({ from, to }) => `${timeOfDay(from, ZONE)}–${timeOfDay(to, ZONE)}`);

describe('free time', () => {
  it('is looked for by the shortest service that keeps its employee busy', () => {
    expect(probeFor('ana', services)?.id).toBe('fringe');
    expect(probeFor('cy', services)?.id).toBe('toner');
    expect(probeFor('dee', services)).toBeUndefined();
  });

  it('is what starts beside each other take together', () => {
    expect(texts([offer(600), offer(605), offer(610), offer(700)])).toEqual(['10:00–10:25', '11:40–11:55']);
  });

  it('goes on between starts that are further apart than the service is long', () => {
    expect(texts([600, 620, 640, 700].map((from) => offer(from)))).toEqual(['10:00–10:55', '11:40–11:55']);
  });

  it('begins with what can still be booked', () => {
    expect(texts([offer(600), offer(605), offer(610)], at(603))).toEqual(['10:05–10:25']);
    expect(texts([offer(600)], at(601))).toEqual([]);
  });

  it('lists the services that fit, with the employee’s own lengths, the most expensive first', () => {
    expect(usualMinutes(cut, 'ana')).toBe(40);
    const names = (minutes: number) => fitting(services, 'ana', minutes).map(({ name }) => name);
    expect(names(45)).toEqual(['Cut', 'Toner', 'Fringe trim']);
    expect(names(44)).toEqual(['Toner', 'Fringe trim']);
    expect(fitting(services, 'ben', 60).map(({ name }) => name)).toEqual(['Fringe trim']);
  });

  it('lies between visits, sorted by time over all employees', () => {
    const column = (employeeId: string, cards: [customer: string, from: number, to: number][]) =>
      ({
        employeeId,
        employeeName: employeeId,
        day: DAY,
        cards: cards.map(([customer, from, to]) => ({ customer, from, to })),
      }) as unknown as Column;
    const free = freeTimeOf(
      [
        {
          column: column('ana', [
            ['Priya', 540, 600],
            ['Hannah', 660, 700],
          ]),
          probe: fringe,
          offers: [offer(615), offer(630), offer(645), offer(700)],
        },
        { column: column('ben', []), probe: fringe, offers: [offer(610)] },
      ],
      services,
      MORNING,
      ZONE,
    );
    expect(
      free.map(({ employeeId, minutes, after, before, fits }) => [
        employeeId,
        minutes,
        after,
        before,
        fits.map(({ id }) => id),
      ]),
    ).toEqual([
      ['ben', 15, undefined, undefined, ['fringe']],
      ['ana', 45, 'Priya', 'Hannah', ['cut', 'toner', 'fringe']],
      ['ana', 15, 'Hannah', undefined, ['toner', 'fringe']],
    ]);
  });
});
