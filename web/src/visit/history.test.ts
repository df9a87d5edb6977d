import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import {
  AppointmentState,
  AppointmentDifference_Kind as Kind,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { GetAppointmentResponseSchema } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { EmployeeWish } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { historyOf } from './history';

const at = (time: string) => timestampFromDate(new Date(`2026-11-24T${time}:00Z`));

it('tells states and moves apart, the latest first, each with who did it', () => {
  const answer = create(GetAppointmentResponseSchema, {
    appointment: {
      startsAt: at('13:00'),
      endsAt: at('13:30'),
      items: [{ employeeName: 'Noah' }],
    },
    stateChanges: [
      { state: AppointmentState.BOOKED, enteredAt: at('08:00'), enteredBy: 'agent:1' },
      { state: AppointmentState.CONFIRMED, enteredAt: at('10:00'), enteredBy: 'user:1' },
    ],
    placesLeft: [
      { startsAt: at('11:00'), employeeNames: ['Mia'], leftAt: at('08:30'), leftBy: 'user:2' },
      { startsAt: at('12:00'), employeeNames: ['Mia', 'Mia', ''], leftAt: at('09:00'), leftBy: 'user:2' },
    ],
  });
  const told = historyOf(answer, 'Europe/London', new Date('2026-11-24T11:00Z'));
  expect(told.map(({ by, text }) => [by, text])).toEqual([
    ['user:1', 'Confirmed'],
    ['user:2', 'Moved from today, 12:00 with Mia to 13:00 with Noah'],
    ['user:2', 'Moved from today, 11:00 to 12:00 with Mia'],
    ['agent:1', 'Booked'],
  ]);
});

it('tells what was changed of a visit, a line for each difference', () => {
  const differences = [
    { kind: Kind.SERVICE_ADDED, serviceName: 'Brow tint' },
    { kind: Kind.SERVICE_REMOVED, serviceName: 'Cut', guest: 1 },
    { kind: Kind.LENGTH, serviceName: 'Colour', minutes: 75 },
    { kind: Kind.WISH, serviceName: 'Colour', employeeWish: EmployeeWish.ONLY, wishedEmployeeName: 'Mia' },
    { kind: Kind.WISH, serviceName: 'Colour' },
    { kind: Kind.NOTES },
  ];
  const answer = create(GetAppointmentResponseSchema, {
    edits: [{ editedAt: at('10:00'), editedBy: 'user:1', differences }],
  });
  const told = historyOf(answer, 'Europe/London', new Date('2026-11-24T11:00Z'));
  expect(told.map(({ by }) => by)).toEqual(Array.from({ length: 6 }, () => 'user:1'));
  expect(told.map(({ text }) => text).toReversed()).toEqual([
    'Added Brow tint',
    'Removed Cut of guest 2',
    'Colour takes 1 h 15 min',
    'Colour: stylist only Mia',
    'Colour: any stylist',
    'Changed the notes',
  ]);
});
