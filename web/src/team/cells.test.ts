import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { columnsOf, type ScheduleData } from '../day/columns';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { OpeningExceptionSchema } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import {
  DayHoursSchema,
  WeeklyScheduleSchema,
  WeeklySpanSchema,
} from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TimeOffKind, TimeOffSchema } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { instantOf } from '../time/local';
import { cellOf, cellText, cellWords, workedMinutes } from './cells';

const ZONE = 'Europe/London';
const [TUESDAY, WEDNESDAY] = ['2026-11-24', '2026-11-25'];
const at = (minute: number, day = TUESDAY) => timestampFromDate(instantOf(day, minute, ZONE));
const everyDay = (fromMinute: number, toMinute: number) =>
  [1, 2, 3, 4, 5, 6, 7].map((weekday) => create(WeeklySpanSchema, { weekday, fromMinute, toMinute }));

const nine = 540;
const five = 1020;

const visit = (from: number, to: number, more: { squeezedIn?: boolean; state?: AppointmentState } = {}) =>
  create(AppointmentSchema, {
    id: `visit at ${from}`,
    state: AppointmentState.BOOKED,
    customerName: 'Priya Nair',
    startsAt: at(from),
    endsAt: at(to),
    items: [{ serviceId: 'cut', employeeId: 'ana', startsAt: at(from), endsAt: at(to) }],
    ...more,
  });

const timeOff = (from: number, to: number) =>
  create(TimeOffSchema, {
    employeeId: 'ana',
    kind: TimeOffKind.HOLIDAY,
    startsAt: at(from),
    endsAt: at(to),
  });

const salon: ScheduleData = {
  zone: ZONE,
  employees: [{ id: 'ana', name: 'Ana' }],
  catalogue: new Map(),
  visits: [],
  openingWeek: everyDay(nine, 1140),
  exceptions: [],
  timeOff: [],
  blocks: [],
  weeks: new Map([['ana', [create(WeeklyScheduleSchema, { spans: everyDay(nine, five) })]]]),
  dayHours: new Map(),
};

function cell(data: Partial<ScheduleData>, day = TUESDAY, requests = [] as ReturnType<typeof timeOff>[]) {
  const all = { ...salon, ...data };
  const [column] = columnsOf(all, [day], 'ana');
  if (!column) throw new Error('Ana works here.');
  return cellOf(column, all, requests);
}

describe('a day of an employee', () => {
  it('is described by its hours', () => {
    expect(cellText(cell({}))).toBe('9:00 – 17:00');
    expect(workedMinutes([cell({}), cell({})])).toBe(960);
  });

  it('says what time off takes, and what is only asked for', () => {
    const half = cell({ timeOff: [timeOff(780, 1440)] });
    expect(cellText(half)).toBe('9:00 – 13:00, Holiday');
    expect(cellText(cell({ timeOff: [timeOff(0, 1440)] }))).toBe('Holiday');
    const asked = cell({}, TUESDAY, [timeOff(0, 600)]);
    expect(asked.asked).toEqual([{ from: nine, to: 600 }]);
    expect(cellWords(asked)).toBe('9:00 – 17:00, time off asked for');
  });

  it('says why the salon is closed', () => {
    const exceptions = [
      create(OpeningExceptionSchema, { firstDate: TUESDAY, lastDate: TUESDAY, label: 'Christmas' }),
    ];
    expect(cellText(cell({ exceptions }))).toBe('Christmas');
    expect(cell({ exceptions }, WEDNESDAY).closed).toBe('');
  });

  it('knows hours of the date itself', () => {
    const dayHours = new Map([['ana', [create(DayHoursSchema, { date: TUESDAY })]]]);
    expect(cellWords(cell({ dayHours }))).toBe('Not at work, hours of this date');
    expect(cell({ dayHours }, WEDNESDAY).own).toBe(false);
  });

  it('finds the visits outside working time, but none that was squeezed in or is over', () => {
    const visits = [
      visit(600, 660),
      visit(990, 1050),
      visit(1080, 1110, { squeezedIn: true }),
      visit(1110, 1125, { state: AppointmentState.COMPLETED }),
    ];
    const outside = cell({ visits }).outside.map(({ appointment }) => appointment.id);
    expect(outside).toEqual(['visit at 990']);
    expect(cellWords(cell({ visits }))).toBe('9:00 – 17:00, 1 visit outside');
  });
});
