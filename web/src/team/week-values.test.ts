import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { WeeklyScheduleSchema, WeeklySpanSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { dateProblem, effectiveFrom, isSound, newWeek, valuesOf } from './week-values';

const TUESDAY = '2026-11-24';
const spans = [create(WeeklySpanSchema, { weekday: 1, fromMinute: 540, toMinute: 1020 })];
const always = create(WeeklyScheduleSchema, { spans });

it('the first week applies from the start, another from next Monday with what applies now', () => {
  expect(newWeek([], TUESDAY)).toMatchObject({ since: 'always' });
  const next = newWeek([always], TUESDAY);
  expect(next).toMatchObject({ since: 'date', date: '2026-11-30' });
  expect(next.week[0]).toEqual([{ from: 540, to: 1020 }]);
  expect(newWeek([always], '2026-11-30').date).toBe('2026-12-07');
});

it('a week is changed where it stands', () => {
  expect(effectiveFrom(valuesOf(always))).toBe('');
  const later = create(WeeklyScheduleSchema, { effectiveFrom: '2027-02-01', spans });
  expect(effectiveFrom(valuesOf(later))).toBe('2027-02-01');
});

it('is not sent without a date, or with invalid hours', () => {
  const values = newWeek([always], TUESDAY);
  expect(isSound(values)).toBe(true);
  expect(dateProblem({ ...values, date: '' })).toBe('Say from which day it counts.');
  expect(isSound({ ...values, date: '' })).toBe(false);
  expect(isSound({ ...values, since: 'always', date: '' })).toBe(true);
  expect(isSound({ ...values, week: [[{ from: 600, to: 600 }]] })).toBe(false);
});
