import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { WeeklyScheduleSchema, WeeklySpanSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import {
  countingOn,
  daysOffText,
  hoursText,
  inOrder,
  problemOf,
  shownHours,
  totalOf,
  totalText,
  weekLines,
  weeklySpans,
  weekOfSpans,
  withBreak,
  withoutBreak,
} from './hours';

const day = { from: 540, to: 1020 };

describe('a week', () => {
  const spans = [
    create(WeeklySpanSchema, { weekday: 2, fromMinute: 840, toMinute: 1020 }),
    create(WeeklySpanSchema, { weekday: 2, fromMinute: 540, toMinute: 780 }),
    create(WeeklySpanSchema, { weekday: 7, fromMinute: 600, toMinute: 1440 }),
  ];

  it('has seven days, each in order, and is sent as it was read', () => {
    const week = weekOfSpans(spans);
    expect(week).toHaveLength(7);
    expect(week[1]).toEqual([
      { from: 540, to: 780 },
      { from: 840, to: 1020 },
    ]);
    expect(weekOfSpans(weeklySpans(week) as typeof spans)).toEqual(week);
    expect(totalText(totalOf(week))).toBe('21 h');
  });

  it('is described by its days, equal ones in a row together', () => {
    expect(weekLines([[day], [day], [day], [], [day], [day], []])).toEqual([
      { days: 'Monday to Wednesday', spans: [day] },
      { days: 'Friday, Saturday', spans: [day] },
    ]);
    expect(weekLines([[], [], [], [], [], [], []])).toEqual([]);
  });

  it('names the days without hours', () => {
    expect(daysOffText([[day], [day], [day], [], [day], [day], []])).toBe('Thursday, Sunday');
    expect(daysOffText([[], [], [], [day], [day], [day], [day]])).toBe('Monday to Wednesday');
    expect(daysOffText([[day], [day], [day], [day], [day], [day], [day]])).toBe('');
  });

  it('is drawn in the whole hours it needs, whatever is being typed', () => {
    expect(shownHours([[{ from: 550, to: 1000 }], [], [{ from: Number.NaN, to: 1300 }]])).toEqual({
      from: 540,
      to: 1020,
    });
    expect(shownHours([[], []])).toEqual({ from: 540, to: 1020 });
  });

  it('counts from its date on, up to the next one', () => {
    const week = (effectiveFrom: string) => create(WeeklyScheduleSchema, { effectiveFrom });
    const weeks = [week('2027-02-01'), week(''), week('2026-12-01')];
    expect(countingOn(weeks, '2026-11-30')?.effectiveFrom).toBe('');
    expect(countingOn(weeks, '2026-12-01')?.effectiveFrom).toBe('2026-12-01');
    expect(countingOn(weeks.slice(0, 1), '2026-12-01')).toBeUndefined();
    expect(inOrder(weeks).map(({ effectiveFrom }) => effectiveFrom)).toEqual([
      '',
      '2026-12-01',
      '2027-02-01',
    ]);
  });
});

describe('a break', () => {
  it('is half an hour in the middle, on the grid', () => {
    expect(withBreak([day])).toEqual([
      { from: 540, to: 765 },
      { from: 795, to: 1020 },
    ]);
    expect(withBreak([{ from: 540, to: 825 }])).toEqual([
      { from: 540, to: 670 },
      { from: 700, to: 825 },
    ]);
  });

  it('goes into the longest stretch, and only where there is room', () => {
    const morning = { from: 540, to: 600 };
    const evening = { from: 900, to: 1200 };
    expect(withBreak([morning, evening])).toHaveLength(3);
    expect(withBreak([morning, evening])[0]).toEqual(morning);
    expect(withBreak([{ from: 540, to: 570 }])).toEqual([{ from: 540, to: 570 }]);
    expect(withBreak([])).toEqual([]);
  });

  it('goes again', () => {
    expect(withoutBreak(withBreak([day]), 1)).toEqual([day]);
    const three = [
      { from: 0, to: 60 },
      { from: 90, to: 120 },
      { from: 150, to: 180 },
    ];
    expect(withoutBreak(three, 2)).toEqual([
      { from: 0, to: 60 },
      { from: 90, to: 180 },
    ]);
  });
});

describe('hours', () => {
  it.each([
    [[day], undefined],
    [[{ from: 540, to: 540 }], 'The end must be after the start.'],
    [[{ from: Number.NaN, to: 600 }], 'Fill in every time.'],
    [[{ from: 541, to: 600 }], 'Times go by steps of 5 minutes.'],
    [
      [
        { from: 700, to: 800 },
        { from: 540, to: 705 },
      ],
      'These hours overlap.',
    ],
    [[], undefined],
  ])('%j: %s', (spans, problem) => {
    expect(problemOf(spans)).toBe(problem);
  });

  it('are read out, a day off by its name', () => {
    expect(hoursText(withBreak([day]))).toBe('9:00 – 12:45, 13:15 – 17:00');
    expect(hoursText([])).toBe('Not at work');
    expect(totalText(450)).toBe('7 h 30');
  });
});
