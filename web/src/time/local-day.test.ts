import { describe, expect, it } from 'vitest';
import { clockOf, instantOf } from './local';
import { isDay, minuteOfClock, minuteOn, weekAround, weekdayOf } from './local-day';

const LONDON = 'Europe/London';

it('distinguishes calendar days from other texts', () => {
  expect(['2026-11-24', '2028-02-29'].filter(isDay)).toHaveLength(2);
  expect([null, '', '2026-02-30', '2026-13-01', '24.11.2026', 'today'].filter(isDay)).toEqual([]);
});

it('a week goes from Monday to Sunday', () => {
  expect(weekdayOf('2026-11-22')).toBe(7);
  expect(weekAround('2026-11-22')).toEqual([
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
  ]);
});

describe('the instant at which a wall clock shows something', () => {
  it.each([
    ['2026-11-24', 540, LONDON, '2026-11-24T09:00:00.000Z'],
    ['2026-07-01', 540, LONDON, '2026-07-01T08:00:00.000Z'],
    ['2026-07-01', 540, 'America/New_York', '2026-07-01T13:00:00.000Z'],
    ['2026-07-01', 30, 'Asia/Kolkata', '2026-06-30T19:00:00.000Z'],
    // The days on which the clocks change, after they have.
    ['2026-03-29', 540, LONDON, '2026-03-29T08:00:00.000Z'],
    ['2026-10-25', 540, LONDON, '2026-10-25T09:00:00.000Z'],
    // A day is over when the next begins.
    ['2026-03-29', 1440, LONDON, '2026-03-29T23:00:00.000Z'],
  ])('%s, minute %i in %s', (day, minute, zone, instant) => {
    expect(instantOf(day, minute, zone).toISOString()).toBe(instant);
  });

  it('and back', () => {
    for (const day of ['2026-03-29', '2026-10-25', '2026-11-24']) {
      for (let minute = 180; minute < 1440; minute += 5) {
        expect(minuteOn(instantOf(day, minute, LONDON), day, LONDON)).toBe(minute);
      }
    }
  });
});

it('what lies on another day counts from its edge', () => {
  const noon = instantOf('2026-11-24', 720, LONDON);
  expect(minuteOn(noon, '2026-11-25', LONDON)).toBe(0);
  expect(minuteOn(noon, '2026-11-23', LONDON)).toBe(1440);
});

it('reads and writes what a time field holds', () => {
  expect([0, 545, 1439].map(clockOf)).toEqual(['00:00', '09:05', '23:59']);
  expect(minuteOfClock('09:05')).toBe(545);
  expect(minuteOfClock('')).toBeUndefined();
});
