import { expect, it } from 'vitest';
import { placeOf } from '../day/move-visit';
import { at, visit } from '../testing/day-answer';
import { changesOf } from './use-series-change';

const { appointment } = visit('ada', [
  ['cut', 'ana', 600, 630],
  ['colour', 'ben', 630, 705],
]);
if (!appointment) throw new Error('Ada has a visit.');
const place = placeOf(appointment);

it('the other visits of a series keep what a move leaves as it is', () => {
  expect(changesOf(appointment, place)).toEqual({ employeeIds: [], extraMinutes: [] });
  const later = { ...place, startsAt: new Date(place.startsAt.getTime() + 15 * 60_000) };
  expect(changesOf(appointment, later)).toEqual({ startsAt: at(615), employeeIds: [], extraMinutes: [] });
  expect(changesOf(appointment, { ...place, employeeIds: ['ana', 'ana'] })).toEqual({
    employeeIds: ['ana', 'ana'],
    extraMinutes: [],
  });
  expect(changesOf(appointment, { ...place, extraMinutes: [0, 15] })).toEqual({
    employeeIds: [],
    extraMinutes: [0, 15],
  });
});
