import { columnsOf, type Person, type ScheduleData, shownHours } from '../day/columns';
import { type Span, spansOf } from '../day/spans';
import type { TimeOff } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { type Cell, cellOf, workedMinutes } from './cells';
import { coverageOf, type Hour } from './coverage';

export type TeamDay = {
  day: string;
  opening: Span[];
  /** What the salon calls an exception on that day. */
  label: string;
  coverage: Hour[];
};

export type TeamRow = { person: Person; cells: Cell[]; minutes: number };

/** The week of all employees, day by day, with its coverage. */
export type TeamWeek = {
  days: TeamDay[];
  rows: TeamRow[];
  /** The part of a day in which any employee works or is booked. */
  shown: Span;
  /** The most people at once, at work or booked. */
  most: number;
};

export function teamWeekOf(data: ScheduleData, requests: readonly TimeOff[]): TeamWeek {
  const columns = columnsOf(data, '');
  const shown = shownHours(columns);
  const days = data.days.map(({ date, spans, label }) => ({
    day: date,
    opening: spansOf(spans),
    label,
    coverage: coverageOf(
      columns.filter(({ day }) => day === date),
      shown,
    ),
  }));
  return {
    days,
    rows: data.employees.map((person) => {
      const cells = columns
        .filter(({ employeeId }) => employeeId === person.id)
        .map((column) => cellOf(column, data.zone, requests));
      return { person, cells, minutes: workedMinutes(cells) };
    }),
    shown,
    most: Math.max(
      0,
      ...days.flatMap(({ coverage }) => coverage.flatMap(({ atWork, booked }) => [atWork, booked])),
    ),
  };
}
