import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { MonthDaySchema } from '../../gen/frontdesk/scheduling/v1/day_pb';
import { dayByKey, loadOf, monthsAfter, weeksOf } from './month-days';

describe('the weeks of a month', () => {
  it('begin on Mondays and leave other months empty', () => {
    const weeks = weeksOf('2026-11');
    expect(weeks).toHaveLength(6);
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
    expect(weeks[5]).toEqual(['2026-11-30', null, null, null, null, null, null]);
    expect(weeks.flat().filter(Boolean)).toHaveLength(30);
    expect(weeksOf('2027-02')).toHaveLength(4);
  });
});

describe('a month later', () => {
  it('is the same day, or the last of a shorter month', () => {
    expect(monthsAfter('2026-11-24', 1)).toBe('2026-12-24');
    expect(monthsAfter('2026-12-24', 1)).toBe('2027-01-24');
    expect(monthsAfter('2026-03-31', -1)).toBe('2026-02-28');
  });
});

describe('keys in a month', () => {
  it.each([
    ['ArrowLeft', '2026-11-23'],
    ['ArrowDown', '2026-12-01'],
    ['Home', '2026-11-23'],
    ['End', '2026-11-29'],
    ['PageUp', '2026-10-24'],
    ['Enter', undefined],
  ])('%s leads to %s', (key, day) => {
    expect(dayByKey('2026-11-24', key)).toBe(day);
  });
});

describe('how full a day is', () => {
  const day = (bookableMinutes: number, bookedMinutes: number, spans: number, label = '') =>
    loadOf(
      create(MonthDaySchema, {
        bookableMinutes,
        bookedMinutes,
        visits: 3,
        opening: { label, spans: Array.from({ length: spans }, () => ({ fromMinute: 540, toMinute: 1080 })) },
      }),
    );

  it('is said of the time that can be booked', () => {
    expect(day(540, 270, 1)).toMatchObject({ percent: 50, text: '50%', visits: 3 });
    expect(day(540, 600, 1)).toMatchObject({ percent: 111 });
  });

  it('is no figure where nothing can be booked, but why', () => {
    expect(day(0, 0, 0)).toMatchObject({ percent: undefined, text: 'Closed' });
    expect(day(0, 0, 0, 'Christmas')).toMatchObject({ text: 'Christmas' });
    expect(day(0, 0, 1)).toMatchObject({ text: 'No one free to book' });
  });
});
