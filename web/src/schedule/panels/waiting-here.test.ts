import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { WaitingCustomerSchema } from '../../gen/frontdesk/scheduling/v1/waitlist_pb';
import { countOffered, offerHere, waitingOn } from './waiting-here';

const ZONE = 'Europe/London';
const DAY = '2026-06-03';

const waiting = (id: string, firstDate: string, lastDate: string, first?: string) =>
  create(WaitingCustomerSchema, {
    entry: { id, firstDate, lastDate },
    ...(first ? { offer: { startsAt: timestampFromDate(new Date(first)) } } : {}),
  });

describe('who waits for a day', () => {
  it('is every customer who named it, those with a free time first', () => {
    const list = [
      waiting('never', '2026-06-01', '2026-06-09'),
      waiting('over', '2026-06-01', '2026-06-02', '2026-06-02T09:00:00Z'),
      waiting('here', '2026-06-03', '2026-06-03', '2026-06-03T09:00:00Z'),
      waiting('earlier', '2026-06-01', '2026-06-09', '2026-06-01T09:00:00Z'),
    ];
    expect(waitingOn(list, DAY, ZONE).map(({ entry }) => entry?.id)).toEqual(['here', 'earlier', 'never']);
  });

  it('has the first time on it, or has to be asked about, or has none', () => {
    expect(offerHere(waiting('a', DAY, DAY, '2026-06-03T22:30:00Z'), DAY, ZONE)).toBeDefined();
    // In London that is past midnight.
    expect(offerHere(waiting('b', DAY, DAY, '2026-06-03T23:30:00Z'), DAY, ZONE)).toBeUndefined();
    expect(offerHere(waiting('c', DAY, DAY, '2026-06-02T09:00:00Z'), DAY, ZONE)).toBe('unknown');
    expect(offerHere(waiting('d', DAY, DAY), DAY, ZONE)).toBeUndefined();
  });

  it('counts as having a free time only where the day is known to have it', () => {
    const list = [
      waiting('never', '2026-06-01', '2026-06-09'),
      waiting('here', DAY, DAY, '2026-06-03T09:00:00Z'),
      waiting('earlier', '2026-06-01', '2026-06-09', '2026-06-01T09:00:00Z'),
    ];
    expect(countOffered(list, DAY, ZONE)).toBe(1);
  });
});
