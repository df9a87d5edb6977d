import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { PlacedCard } from './columns';
import { type DayEntry, isSettled } from './day-entries';

const visit = (state: AppointmentState): DayEntry => ({
  key: 'visit',
  from: 540,
  to: 600,
  card: { appointment: create(AppointmentSchema, { state }) } as PlacedCard,
});

it('a visit is settled once it is over and closed', () => {
  expect(isSettled(visit(AppointmentState.COMPLETED), 600)).toBe(true);
  expect(isSettled(visit(AppointmentState.NO_SHOW), 600)).toBe(true);
  expect(isSettled(visit(AppointmentState.COMPLETED), 599)).toBe(false);
});

it('a visit that is over and still open is left to be settled', () => {
  for (const state of [AppointmentState.BOOKED, AppointmentState.ARRIVED, AppointmentState.IN_SERVICE])
    expect(isSettled(visit(state), 900)).toBe(false);
});

it('blocked time is settled once it is over', () => {
  const block = { blockId: 'b', label: 'Lunch', employeeName: 'Mia', from: 720, to: 780 };
  const entry = { key: 'block', from: 720, to: 780, block };
  expect([isSettled(entry, 779), isSettled(entry, 780)]).toEqual([false, true]);
});
