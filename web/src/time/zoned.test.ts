import { describe, expect, it } from 'vitest';
import {
  clockText,
  dateAndTime,
  dayAndTime,
  dayKey,
  dayName,
  daysBetween,
  localMinute,
  minutesText,
  timeOfDay,
  timeToTheSecond,
  zoneCity,
  zoneDiffers,
} from './zoned';

const LONDON = 'Europe/London';

describe('time in a zone', () => {
  it('belongs to the day it is there', () => {
    const instant = new Date('2026-07-01T23:30:00Z');
    expect(dayKey(instant, LONDON)).toBe('2026-07-02');
    expect(dayKey(instant, 'America/New_York')).toBe('2026-07-01');
  });

  it('counts days over the change of the clocks', () => {
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect(daysBetween('2026-10-26', '2026-10-24')).toBe(-2);
  });

  it('calls near days by their names, and others by date', () => {
    const now = new Date('2026-03-28T23:30:00Z');
    expect(dayName(new Date('2026-03-29T10:00:00Z'), LONDON, now)).toMatch(/tomorrow/i);
    expect(dayName(new Date('2026-03-28T10:00:00Z'), LONDON, now)).toMatch(/today/i);
    expect(dayName(new Date('2026-04-05T10:00:00Z'), LONDON, now)).toMatch(/Sunday.*April|April.*5|5.*April/);
    expect(dayName(new Date('2027-04-05T10:00:00Z'), LONDON, now)).toContain('2027');
  });

  it('is written in the language of the pages, whatever the browser speaks', () => {
    const evening = new Date('2026-12-05T19:30:00Z');
    expect([dateAndTime(evening, LONDON), timeOfDay(evening, LONDON)]).toEqual([
      '5 Dec 2026, 19:30',
      '19:30',
    ]);
  });

  it('reads the wall clock on both sides of its change', () => {
    expect(localMinute(new Date('2026-03-29T00:59:00Z'), LONDON)).toEqual({ weekday: 7, minute: 59 });
    expect(localMinute(new Date('2026-03-29T01:00:00Z'), LONDON)).toEqual({ weekday: 7, minute: 120 });
    expect(localMinute(new Date('2026-03-30T00:00:00Z'), 'Asia/Kolkata')).toEqual({
      weekday: 1,
      minute: 330,
    });
  });

  it('differs when the clocks do, not when only the names do', () => {
    const winter = new Date('2026-01-10T12:00:00Z');
    expect(zoneDiffers(LONDON, 'Europe/Lisbon', winter)).toBe(false);
    expect(zoneDiffers(LONDON, 'Europe/Berlin', winter)).toBe(true);
    expect(zoneDiffers(LONDON, LONDON, winter)).toBe(false);
    expect(zoneDiffers(LONDON, 'UTC', new Date('2026-07-10T12:00:00Z'))).toBe(true);
  });

  it('is named after its city', () => {
    expect(zoneCity('America/Argentina/Buenos_Aires')).toBe('Buenos Aires');
  });
});

describe('lengths', () => {
  it('are written in hours and minutes', () => {
    expect([15, 60, 90, 0].map(minutesText)).toEqual(['15 min', '1 h', '1 h 30 min', '0 min']);
  });

  it('of calls run like a stop watch', () => {
    expect([0, 7_900, 760_000, 3_723_000, -5].map(clockText)).toEqual([
      '0:00',
      '0:07',
      '12:40',
      '1:02:03',
      '0:00',
    ]);
  });
});

it('says a moment to the second, and a day without its year', () => {
  const at = new Date('2026-11-27T09:05:07Z');
  expect(timeToTheSecond(at, 'Europe/London')).toBe('9:05:07');
  expect(dayAndTime(at, 'Europe/Berlin')).toBe('27 Nov, 10:05');
});
