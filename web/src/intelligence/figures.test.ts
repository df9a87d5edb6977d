import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { type ServiceReport, ServiceReportSchema } from '../gen/frontdesk/scheduling/v1/intelligence_pb';
import { currenciesOf, figuresOf, kept, noShowRate, overrun, peopleOf, totalOf, worthIn } from './figures';

const person = (employeeId: string, visits: bigint, employeeName = employeeId) => ({
  employeeId,
  employeeName,
  visits,
  share: 0,
});

const reports: ServiceReport[] = [
  create(ServiceReportSchema, {
    serviceId: 'trim',
    serviceName: 'Trim',
    booked: 10n,
    completed: 6n,
    cancelled: 2n,
    noShows: 2n,
    value: [{ currency: 'GBP', minor: 16000n }],
    plannedMinutes: 240n,
    measured: { visits: 4n, plannedMinutes: 120n, actualMinutes: 140n },
    employees: [person('mia', 5n, 'Mia'), person('gone', 3n, '')],
  }),
  create(ServiceReportSchema, {
    serviceId: 'colour',
    serviceName: 'Colour',
    booked: 20n,
    value: [
      { currency: 'EUR', minor: 500n },
      { currency: 'GBP', minor: 200000n },
    ],
    plannedMinutes: 1800n,
    rebookingDays: 41.5,
    rebookings: 7n,
    employees: [person('mia', 20n, 'Mia')],
  }),
  create(ServiceReportSchema, { serviceId: 'old', serviceName: 'Perm' }),
];

const figures = figuresOf(
  reports,
  new Map([
    ['trim', 'Cutting'],
    ['colour', 'Colour'],
  ]),
);

describe('the figures of services', () => {
  it('come with the most booked first, with their categories and whether they are sold now', () => {
    expect(figures.map(({ name, category, current }) => [name, category, current])).toEqual([
      ['Colour', 'Colour', true],
      ['Trim', 'Cutting', true],
      ['Perm', '', false],
    ]);
  });

  it('tell what was not measured from what was measured as zero', () => {
    const [colour, trim, perm] = figures;
    expect([colour, trim, perm].map((one) => one && overrun(one))).toEqual([undefined, 5, undefined]);
    expect([colour, trim, perm].map((one) => one && noShowRate(one))).toEqual([0, 0.25, undefined]);
    expect(colour?.rebooking).toEqual({ days: 41.5, pairs: 7 });
    expect(trim?.rebooking).toBeUndefined();
  });

  it('add up, each currency by itself', () => {
    const total = totalOf(figures);
    expect([total.booked, kept(total), total.plannedMinutes]).toEqual([30, 28, 2040]);
    expect([worthIn(total, 'GBP'), worthIn(total, 'EUR'), worthIn(total, 'USD')]).toEqual([216000, 500, 0]);
    expect(overrun(total)).toBe(5);
    expect(currenciesOf(figures)).toEqual(['GBP', 'EUR']);
    expect(totalOf([]).booked).toBe(0);
  });

  it('list who did how much, and mostly of what', () => {
    expect(peopleOf(figures)).toEqual([
      {
        id: 'mia',
        name: 'Mia',
        visits: 25,
        services: [
          { name: 'Colour', visits: 20 },
          { name: 'Trim', visits: 5 },
        ],
      },
      { id: 'gone', name: 'Former employee', visits: 3, services: [{ name: 'Trim', visits: 3 }] },
    ]);
  });
});
