import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { columnsOf, type ScheduleData } from '../day/columns';
import { DayOpeningSchema, DayUnavailableReason } from '../gen/frontdesk/scheduling/v1/day_pb';
import { TimeOffKind, TimeOffSchema } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { at, column, dayOf, span, TUESDAY, unavailable, visit, ZONE } from '../testing/day-answer';
import { cellOf, cellText, cellWords, workedMinutes } from './cells';

const { CLOSED, TIME_OFF } = DayUnavailableReason;
const WEDNESDAY = '2026-11-25';
const nine = 540;
const five = 1020;

const holiday = (from: number, to: number) =>
  unavailable(TIME_OFF, from, to, { timeOffKind: TimeOffKind.HOLIDAY });

const anas = (changes: Parameters<typeof column>[1] = {}) =>
  column('ana', { working: [span(nine, five)], ...changes });

function cell(data: Partial<ScheduleData>, requests = [] as Parameters<typeof cellOf>[2], day = TUESDAY) {
  const columns = columnsOf(dayOf({ columns: [anas(), anas({ date: WEDNESDAY })], ...data }), 'ana');
  const found = columns.find((candidate) => candidate.day === day);
  if (!found) throw new Error('Ana works here.');
  return cellOf(found, ZONE, requests);
}

describe('a day of an employee', () => {
  it('is described by its hours', () => {
    expect(cellText(cell({}))).toBe('9:00 – 17:00');
    expect(workedMinutes([cell({}), cell({})])).toBe(960);
  });

  it('says what time off takes, and what is only asked for', () => {
    const half = anas({ working: [span(nine, 780)], unavailable: [holiday(780, 1440)] });
    expect(cellText(cell({ columns: [half] }))).toBe('9:00 – 13:00, Holiday');
    const whole = anas({ working: [], unavailable: [holiday(0, 1440)] });
    expect(cellText(cell({ columns: [whole] }))).toBe('Holiday');
    const request = create(TimeOffSchema, { employeeId: 'ana', startsAt: at(0), endsAt: at(600) });
    const asked = cell({}, [request]);
    expect(asked.asked).toEqual([{ from: nine, to: 600 }]);
    expect(cellWords(asked)).toBe('9:00 – 17:00, time off asked for');
  });

  it('says why the salon is closed', () => {
    const days = [create(DayOpeningSchema, { date: TUESDAY, label: 'Christmas' })];
    const closed = anas({ working: [], unavailable: [unavailable(CLOSED, 0, 1440)] });
    const columns = [closed, anas({ date: WEDNESDAY })];
    expect(cellText(cell({ days, columns }))).toBe('Christmas');
    expect(cell({ days, columns }, [], WEDNESDAY).closed).toBe('');
  });

  it('knows hours of the date itself', () => {
    const own = anas({ working: [], unavailable: [], hasOwnHours: true });
    expect(cellWords(cell({ columns: [own] }))).toBe('Not at work, hours of this date');
    expect(cell({}).own).toBe(false);
  });

  it('counts the visits outside working time', () => {
    const visits = [
      visit('within', [['cut', 'ana', 600, 660]]),
      visit('late', [['cut', 'ana', 990, 1050, { isStranded: true }]]),
    ];
    const outside = cell({ visits }).outside.map(({ appointment }) => appointment.id);
    expect(outside).toEqual(['late']);
    expect(cellWords(cell({ visits }))).toBe('9:00 – 17:00, 1 visit outside');
  });
});
