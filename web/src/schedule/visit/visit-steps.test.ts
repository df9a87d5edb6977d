import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import {
  AppointmentSchema,
  AppointmentState,
  StateChangeSchema,
} from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { stepsOf, wayBack } from './visit-steps';

const START = new Date('2026-11-24T09:00:00Z');
const before = new Date(START.getTime() - 60_000);
const visit = (state: AppointmentState) =>
  create(AppointmentSchema, { state, startsAt: timestampFromDate(START) });
const labels = (state: AppointmentState, now: Date) => stepsOf(visit(state), now).map(({ label }) => label);

it('goes to any later state, and to a no-show only once the visit should have begun', () => {
  const onward = ['Confirm', 'Arrived', 'Start service', 'Complete'];
  expect(labels(AppointmentState.BOOKED, before)).toEqual(onward);
  expect(labels(AppointmentState.BOOKED, START)).toEqual([...onward, 'No-show']);
  expect(labels(AppointmentState.CONFIRMED, START)).toEqual([...onward.slice(1), 'No-show']);
  expect(labels(AppointmentState.ARRIVED, START)).toEqual(['Start service', 'Complete']);
  expect(labels(AppointmentState.IN_SERVICE, START)).toEqual(['Complete']);
  for (const over of [AppointmentState.COMPLETED, AppointmentState.NO_SHOW, AppointmentState.CANCELLED])
    expect(labels(over, START)).toEqual([]);
});

it('goes one step back on the day it was taken, by the salon’s calendar', () => {
  const change = (state: AppointmentState, enteredAt: string) =>
    create(StateChangeSchema, { state, enteredAt: timestampFromDate(new Date(enteredAt)) });
  const changes = [
    change(AppointmentState.BOOKED, '2026-11-20T10:00:00Z'),
    change(AppointmentState.ARRIVED, '2026-11-24T23:30:00Z'),
  ];
  const arrived = visit(AppointmentState.ARRIVED);
  const back = (zone: string, now: string) => wayBack(arrived, changes, zone, new Date(now));
  expect(back('Europe/London', '2026-11-24T23:59:00Z')).toBe(AppointmentState.BOOKED);
  expect(back('Europe/London', '2026-11-25T00:01:00Z')).toBeUndefined();
  expect(back('Europe/Berlin', '2026-11-25T00:01:00Z')).toBe(AppointmentState.BOOKED);
  expect(wayBack(arrived, changes.slice(0, 1), 'UTC', START)).toBeUndefined();
  // What is listed has moved on since the changes were read.
  expect(wayBack(visit(AppointmentState.COMPLETED), changes, 'UTC', START)).toBeUndefined();
});
