import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { bookedText, chunksOf, standingIn } from './stranded';

const at = (clock: string, day = '2026-11-24') => new Date(`${day}T${clock}Z`);

const visit = (
  id: string,
  from: Date,
  to: Date,
  { state = AppointmentState.BOOKED, employeeId = 'ana' } = {},
) =>
  create(AppointmentSchema, {
    id,
    state,
    customerName: 'Priya Nair',
    startsAt: timestampFromDate(from),
    items: [
      {
        employeeId,
        serviceName: 'Cut',
        startsAt: timestampFromDate(from),
        endsAt: timestampFromDate(to),
      },
    ],
  });

describe('visits that stand in the way', () => {
  const idsBetween = (from: Date, to: Date, visits: ReturnType<typeof visit>[]) =>
    standingIn(visits, 'ana', from, to).map(({ appointmentId }) => appointmentId);

  it('are the employee’s own, with any part of them', () => {
    const visits = [
      visit('before', at('08:00'), at('09:00')),
      visit('over the edge', at('08:30'), at('09:30')),
      visit('another’s', at('10:00'), at('11:00'), { employeeId: 'tom' }),
      visit('within', at('10:00'), at('11:00')),
      visit('after', at('12:00'), at('13:00')),
    ];
    expect(idsBetween(at('09:00'), at('12:00'), visits)).toEqual(['over the edge', 'within']);
  });

  it('are not those that are under way, over or cancelled', () => {
    const { ARRIVED, IN_SERVICE, COMPLETED, CANCELLED, NO_SHOW, CONFIRMED } = AppointmentState;
    const visits = [ARRIVED, IN_SERVICE, COMPLETED, CANCELLED, NO_SHOW, CONFIRMED].map((state) =>
      visit(AppointmentState[state], at('10:00'), at('11:00'), { state }),
    );
    expect(idsBetween(at('09:00'), at('12:00'), visits)).toEqual(['CONFIRMED']);
  });

  it('say who comes, and for what', () => {
    const [stranded] = standingIn([visit('v', at('10:00'), at('11:00'))], 'ana', at('09:00'), at('12:00'));
    expect(stranded).toEqual({
      appointmentId: 'v',
      startsAt: at('10:00'),
      customer: 'Priya Nair',
      services: 'Cut',
    });
  });
});

it('long spans are read in parts that meet', () => {
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  expect(chunksOf(day(1), day(6), 2)).toEqual([
    [day(1), day(3)],
    [day(3), day(5)],
    [day(5), day(6)],
  ]);
  expect(chunksOf(day(1), day(3), 2)).toEqual([[day(1), day(3)]]);
  expect(chunksOf(day(3), day(1), 2)).toEqual([]);
});

describe('visits booked in time off', () => {
  it('are counted, and those listed above are named as such', () => {
    expect(bookedText(1, 1, false)).toBe('1 visit is booked in this time.');
    expect(bookedText(2, 2, true)).toBe('2 visits are still booked in this time.');
    expect(bookedText(2, 0, true)).toBe(
      '2 visits are still booked in this time, listed under “To be moved”.',
    );
    expect(bookedText(3, 1, true)).toBe(
      '3 visits are still booked in this time, 2 of them listed under “To be moved”.',
    );
  });
});
