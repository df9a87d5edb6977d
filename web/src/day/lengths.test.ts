import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { extraText, isPossible, longerBy, shorterBy } from './lengths';
import { usualMinutes } from './segments';

const colour = create(ServiceSchema, {
  segments: [{ minutes: 30 }, { minutes: 35 }, { minutes: 20 }],
  overrides: [{ employeeId: 'ana', segmentMinutes: [25, 35, 10] }],
});

describe('the length of a service', () => {
  it('is by default that of its segments, or the employee’s own', () => {
    expect(usualMinutes(colour, '')).toBe(85);
    expect(usualMinutes(colour, 'ana')).toBe(70);
  });

  it('is shortened at its last segment, of which five minutes are left', () => {
    expect(shorterBy(colour, '')).toEqual([-15, -10, -5]);
    expect(shorterBy(colour, 'ana')).toEqual([-5]);
    expect(shorterBy(create(ServiceSchema, { segments: [{ minutes: 5 }] }), '')).toEqual([]);
    expect([isPossible(colour, '', -15), isPossible(colour, 'ana', -15)]).toEqual([true, false]);
  });

  it('is lengthened in the contract’s steps, up to its bound, each once', () => {
    const longer = longerBy();
    expect(longer.slice(0, 3)).toEqual([5, 10, 15]);
    expect(longer.at(-1)).toBe(720);
    expect(longer.every((minutes) => minutes % 5 === 0)).toBe(true);
    expect([...new Set(longer)].sort((one, other) => one - other)).toEqual(longer);
  });

  it('is described relative to the usual one', () => {
    expect([-10, 0, 15, 90].map(extraText)).toEqual([
      '10 min shorter',
      '',
      '15 min longer',
      '1 h 30 min longer',
    ]);
  });
});
