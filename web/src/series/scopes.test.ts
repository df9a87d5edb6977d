import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { placeOf } from '../day/move-visit';
import {
  type Appointment,
  AppointmentSchema,
  AppointmentState,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { at, visit } from '../testing/day-answer';
import { changesOf, scopesOf, scopeText } from './scopes';

const { BOOKED, CONFIRMED, COMPLETED, CANCELLED } = AppointmentState;

/** Visits a week apart, from 1 June 2026 on. */
const series = (states: AppointmentState[], alone: number[] = []) =>
  states.map((state, index) =>
    create(AppointmentSchema, {
      id: String(index + 1),
      state,
      seriesId: 'series',
      occurrence: index + 1,
      movedAlone: alone.includes(index + 1),
      startsAt: timestampFromDate(new Date(Date.UTC(2026, 5, 1 + 7 * index, 10))),
    }),
  );

const told = (visits: Appointment[], number: number, shifts = false) => {
  const visit = visits[number - 1];
  if (!visit) throw new Error('No such visit.');
  return scopesOf(visits, visit, shifts).map((option) => scopeText(option, 'Europe/London'));
};

it('a change goes for one visit, those that follow it, or all that have not begun', () => {
  expect(told(series([COMPLETED, BOOKED, CONFIRMED, CANCELLED, BOOKED]), 3)).toEqual([
    'This visit only',
    'This and all following: 2 visits, until 29 Jun 2026',
    'All that have not begun: 3 visits, until 29 Jun 2026',
  ]);
});

it('nothing is asked twice: of the first visit those that follow are all, and of the last none follow', () => {
  const visits = series([BOOKED, BOOKED, BOOKED]);
  expect(told(visits, 1)).toEqual(['This visit only', 'This and all following: 3 visits, until 15 Jun 2026']);
  expect(told(visits, 3)).toEqual([
    'This visit only',
    'All that have not begun: 3 visits, until 15 Jun 2026',
  ]);
  expect(told(series([COMPLETED, CANCELLED, BOOKED]), 3)).toEqual(['This visit only']);
});

it('visits that were moved by themselves keep their time, and are cancelled like the others', () => {
  const visits = series([BOOKED, BOOKED, BOOKED, BOOKED], [4]);
  expect(told(visits, 2, true)).toEqual([
    'This visit only',
    'This and all following: 2 visits, until 15 Jun 2026; 1 that was moved by itself stays',
    'All that have not begun: 3 visits, until 15 Jun 2026; 1 that was moved by itself stays',
  ]);
  expect(told(visits, 2)[1]).toBe('This and all following: 3 visits, until 22 Jun 2026');
  expect(told(visits, 4, true)[1]).toBe('All that have not begun: 4 visits, until 22 Jun 2026');
});

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
