import { describe, expect, it } from 'vitest';
import { clockOf, dayAfter, instantOf, minuteOf } from './local';

const LONDON = 'Europe/London';

describe('a local time', () => {
  it('is the instant at which its clock shows it, summer and winter', () => {
    expect(instantOf('2026-06-02', 600, LONDON).toISOString()).toBe('2026-06-02T09:00:00.000Z');
    expect(instantOf('2026-12-02', 600, LONDON).toISOString()).toBe('2026-12-02T10:00:00.000Z');
    expect(instantOf('2026-06-02', 0, 'Pacific/Auckland').toISOString()).toBe('2026-06-01T12:00:00.000Z');
    expect(instantOf('2026-06-02', 1440, 'America/New_York').toISOString()).toBe('2026-06-03T04:00:00.000Z');
  });

  it('holds on the days the clocks change', () => {
    expect(instantOf('2026-03-29', 0, LONDON).toISOString()).toBe('2026-03-29T00:00:00.000Z');
    expect(instantOf('2026-03-29', 720, LONDON).toISOString()).toBe('2026-03-29T11:00:00.000Z');
    // 1:30 is skipped in March, and comes twice in October.
    expect(instantOf('2026-03-29', 90, LONDON).toISOString()).toBe('2026-03-29T01:30:00.000Z');
    expect(instantOf('2026-10-25', 90, LONDON).toISOString()).toBe('2026-10-25T00:30:00.000Z');
  });

  it('goes in and out of a time field', () => {
    expect(minuteOf('14:30')).toBe(870);
    expect(clockOf(870)).toBe('14:30');
    expect(['', '25:00', '12:75', 'noon'].map(minuteOf)).toEqual([null, null, null, null]);
  });

  it('moves from day to day over the end of months', () => {
    expect(dayAfter('2026-02-28', 1)).toBe('2026-03-01');
    expect(dayAfter('2026-01-01', -1)).toBe('2025-12-31');
    expect(dayAfter('2026-03-28', 2)).toBe('2026-03-30');
  });
});
