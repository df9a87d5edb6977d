import { describe, expect, it } from 'vitest';
import { SegmentKind } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { minutesOf, serviceOf, TEMPLATES } from './templates';

describe.each(TEMPLATES.map((template) => [template.name, template] as const))(
  'the template of a %s',
  (_, { services }) => {
    it('names each service once, and no alias twice', () => {
      const names = services.map(({ name }) => name.toLowerCase());
      const aliases = services.flatMap((service) => service.aliases.map((alias) => alias.toLowerCase()));
      expect(new Set(names).size).toBe(names.length);
      expect(new Set(aliases).size).toBe(aliases.length);
      expect(aliases.filter((alias) => names.includes(alias))).toEqual([]);
    });

    it('has lengths and prices that the server takes', () => {
      for (const service of services) {
        expect(service.minutes.every((minutes) => minutes % 5 === 0 && minutes > 0)).toBe(true);
        expect(minutesOf(service)).toBeLessThanOrEqual(720);
        expect(service.price).toBeGreaterThan(0);
      }
    });
  },
);

it('a colour takes while the employee is free', () => {
  const colour = TEMPLATES[0]?.services.find(({ name }) => name === 'Root colour');
  expect(colour).toBeDefined();
  if (!colour) return;
  const made = serviceOf(colour, { minor: 6800, currency: 'GBP' }, ['ana']);
  expect(made.segments?.map(({ kind }) => kind)).toEqual([
    SegmentKind.ACTIVE,
    SegmentKind.PROCESSING,
    SegmentKind.ACTIVE,
  ]);
  expect([made.priceMinor, made.currency, made.employeeIds]).toEqual([6800, 'GBP', ['ana']]);
});
