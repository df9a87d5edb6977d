import { columnsOf, type Person, type ScheduleData, shownHours } from '../day/columns';
import type { Span } from '../day/spans';
import { openingOn } from '../day/working-time';
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

export function teamWeekOf(
  data: ScheduleData,
  days: readonly string[],
  requests: readonly TimeOff[],
): TeamWeek {
  const columns = columnsOf(data, days, '');
  const shown = shownHours(columns);
  const coverage = days.map((day) =>
    coverageOf(
      columns.filter((column) => column.day === day),
      shown,
    ),
  );
  return {
    days: days.map((day, index) => {
      const { spans, label } = openingOn(day, data.openingWeek, data.exceptions);
      return { day, opening: spans, label, coverage: coverage[index] ?? [] };
    }),
    rows: data.employees.map((person) => {
      const cells = columns
        .filter(({ employeeId }) => employeeId === person.id)
        .map((column) => cellOf(column, data, requests));
      return { person, cells, minutes: workedMinutes(cells) };
    }),
    shown,
    most: Math.max(0, ...coverage.flat().flatMap(({ atWork, booked }) => [atWork, booked])),
  };
}
