import { describe, expect, it } from 'vitest';
import { ProductEventType } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { dayAndTime, timeOfDay } from '../time/zoned';
import { filterOf, SPANS, STEPS, searchOf, spanOf, stepsOf, wishOf } from './wish';

const BUSINESS = '01900000-0000-7000-8000-000000000001';

describe('which events are wanted', () => {
  it('is what the address says, and comes back from it', () => {
    const wish = {
      business: BUSINESS,
      type: ProductEventType.CALL_ENDED,
      actor: 'user:7',
      hours: '168' as const,
    };
    expect(wishOf(searchOf(wish))).toEqual(wish);
    expect(searchOf(wishOf(new URLSearchParams('business=x&type=SEEN&hours=5'))).size).toBe(0);
  });

  it('ends with the running minute, and is divided into steps that the service takes', () => {
    const wish = wishOf(new URLSearchParams('hours=1'));
    const now = new Date('2026-06-01T08:00:30Z');
    const { from, to } = spanOf(wish, now, 'Europe/London');
    expect([from.toISOString(), to.toISOString()]).toEqual([
      '2026-06-01T07:01:00.000Z',
      '2026-06-01T08:01:00.000Z',
    ]);
    for (const [hours] of SPANS) {
      expect(STEPS[hours]).toBeLessThanOrEqual(200);
      expect(stepsOf({ hours }, now, 'Europe/London')).toHaveLength(STEPS[hours] + 1);
    }
    expect(filterOf(wish, now, 'Europe/London').types).toEqual([]);
  });

  it.each([
    ['24', ['2026-05-31T07:30:00.000Z', '2026-05-31T08:30:00.000Z'], '2026-06-01T07:30:00.000Z'],
    ['168', ['2026-05-25T12:30:00.000Z', '2026-05-25T18:30:00.000Z'], '2026-06-01T12:30:00.000Z'],
    ['720', ['2026-05-02T18:30:00.000Z', '2026-05-03T18:30:00.000Z'], '2026-06-01T18:30:00.000Z'],
  ] as const)(
    'has steps of %s hours that begin with an hour or a day of the clock there',
    (hours, first, end) => {
      const steps = stepsOf({ hours }, new Date('2026-06-01T07:00:30Z'), 'Asia/Kolkata');
      expect(steps.slice(0, 2).map((step) => step.toISOString())).toEqual(first);
      expect(steps.at(-1)?.toISOString()).toBe(end);
    },
  );

  it('has days from midnight to midnight across a change of the clocks', () => {
    const steps = stepsOf({ hours: '720' }, new Date('2026-11-01T12:00:00Z'), 'Europe/London');
    expect(new Set(steps.map((step) => dayAndTime(step, 'Europe/London').split(', ')[1]))).toEqual(
      new Set([timeOfDay(steps[0] ?? new Date(), 'Europe/London')]),
    );
    expect(steps[0]?.toISOString()).toBe('2026-10-02T23:00:00.000Z');
    expect(steps.at(-1)?.toISOString()).toBe('2026-11-02T00:00:00.000Z');
  });
});
