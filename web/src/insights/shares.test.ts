import { describe, expect, it } from 'vitest';
import { hourText, oftenFirst, shareOf, steps } from './shares';

const day = (n: number) => ({
  date: `2026-06-${String(n).padStart(2, '0')}`,
  calls: n,
  answered: 1,
  ended: 2,
});

describe('figures of calls', () => {
  it('are shares of what there is, and of nothing none', () => {
    expect(shareOf(1n, 4n)).toBe(0.25);
    expect(shareOf(0n, 0n)).toBeUndefined();
  });

  it('begin with what happened most often', () => {
    const counts = [
      { outcome: 'hung up', calls: 8n },
      { outcome: 'booked', calls: 30n },
      { outcome: 'moved', calls: 8n },
    ];
    expect(oftenFirst(counts).map(({ outcome }) => outcome)).toEqual(['booked', 'hung up', 'moved']);
  });

  it('name an hour by both its ends', () => {
    expect(hourText(8)).toBe('08:00–09:00');
    expect(hourText(23)).toBe('23:00–00:00');
  });

  it('go by weeks where there are too many days, and lose no call', () => {
    const days = Array.from({ length: 10 }, (_, index) => day(index + 1));
    expect(steps(days, 10)).toEqual(days);
    expect(steps(days, 9)).toEqual([
      { date: '2026-06-01', calls: 28, answered: 7, ended: 14 },
      { date: '2026-06-08', calls: 27, answered: 3, ended: 6 },
    ]);
  });
});
