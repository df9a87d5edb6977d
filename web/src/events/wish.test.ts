import { describe, expect, it } from 'vitest';
import { ProductEventType } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { filterOf, SPANS, STEPS, searchOf, spanOf, wishOf } from './wish';

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
    const { from, to } = spanOf(wish, new Date('2026-06-01T08:00:30Z'));
    expect([from.toISOString(), to.toISOString()]).toEqual([
      '2026-06-01T07:01:00.000Z',
      '2026-06-01T08:01:00.000Z',
    ]);
    for (const [hours] of SPANS) expect(STEPS[hours]).toBeLessThanOrEqual(200);
    expect(filterOf(wish, new Date('2026-06-01T08:00:30Z')).types).toEqual([]);
  });
});
