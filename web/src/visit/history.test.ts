import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import {
  AppointmentState,
  GetAppointmentResponseSchema,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { historyOf } from './history';

const at = (time: string) => timestampFromDate(new Date(`2026-11-24T${time}:00Z`));

it('tells states and moves apart, the latest first, each with who did it', () => {
  const answer = create(GetAppointmentResponseSchema, {
    stateChanges: [
      { state: AppointmentState.BOOKED, enteredAt: at('08:00'), enteredBy: 'agent:1' },
      { state: AppointmentState.CONFIRMED, enteredAt: at('10:00'), enteredBy: 'user:1' },
    ],
    placesLeft: [
      { startsAt: at('12:00'), employeeNames: ['Mia', 'Mia', ''], leftAt: at('09:00'), leftBy: 'user:2' },
    ],
  });
  const told = historyOf(answer, 'Europe/London', new Date('2026-11-24T11:00Z'));
  expect(told.map(({ by, text }) => [by, text])).toEqual([
    ['user:1', 'Confirmed'],
    ['user:2', 'Changed from today, 12:00 with Mia'],
    ['agent:1', 'Booked'],
  ]);
});
