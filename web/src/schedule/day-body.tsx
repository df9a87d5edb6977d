import { CalendarOff } from 'lucide-react';
import { may } from '../api/access';
import { type Column, canBeAway, type ScheduleData } from '../day/columns';
import type { Destination } from '../day/move-visit';
import type { VisitCard } from '../day/visit-cards';
import { AppointmentAccess, TimeOffAccess } from '../gen/access';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { shortDayText } from '../time/local-day';
import { Surface } from '../ui/card';
import { Empty } from '../ui/states';
import { VisitList } from './cards/visit-list';
import type { FreeActions } from './grid/column-body';
import { DayGrid } from './grid/day-grid';
import type { Density } from './grid/density';
import type { FreeStarts } from './grid/use-free-starts';
import type { Ghosts } from './grid/use-ghosts';

type DayBodyProps = {
  data: ScheduleData;
  columns: Column[];
  days: readonly string[];
  /** Whose week it is; empty for a day of all employees. */
  employeeId: string;
  /** The columns are the viewer's own. */
  mine: boolean;
  label: string;
  today: string;
  density: Density;
  wide: boolean;
  role: string;
  starts: FreeStarts | undefined;
  ghosts: Ghosts;
  actions: FreeActions;
  dayTitle: (day: string) => string;
  /** Reports an employee away on the column's day. */
  onAway: ((column: Column) => void) | undefined;
  onOpen: (appointmentId: string) => void;
  onMove: (card: VisitCard, to: Destination) => void;
  onResize: (appointment: Appointment, minutes: number) => void;
};

/** The columns of a day or a week, or its list where there is no room for them. */
export function DayBody(props: DayBodyProps) {
  const { data, columns, days, employeeId, mine, today, wide, role, dayTitle, onAway, onOpen, ...rest } =
    props;
  if (data.employees.length === 0) {
    return (
      <Surface>
        <Empty icon={CalendarOff} title="No employees yet">
          Each employee has a column here. Without any, there is nothing to show.
        </Empty>
      </Surface>
    );
  }
  if (columns.length === 0) {
    return (
      <Surface>
        <Empty icon={CalendarOff} title="This employee is not here">
          Perhaps they no longer work at this salon. Choose another employee above.
        </Empty>
      </Surface>
    );
  }
  if (!wide) {
    const { onBlock } = rest.actions;
    const alone = mine || employeeId !== '';
    return <VisitList {...{ days, columns, today, dayTitle, alone, onOpen, onBlock }} zone={data.zone} />;
  }
  const titleOf = (column: Column) =>
    employeeId
      ? {
          text: shortDayText(column.day),
          to: `?${new URLSearchParams({ date: column.day })}`,
          current: column.day === today,
        }
      : {
          text: column.employeeName,
          to: column.employeeId
            ? `?${new URLSearchParams({ date: column.day, employee: column.employeeId })}`
            : '',
        };
  return (
    <DayGrid
      {...rest}
      columns={columns}
      titleOf={titleOf}
      catalogue={data.catalogue}
      zone={data.zone}
      awayOf={(column) =>
        onAway && canBeAway(column, today, may(TimeOffAccess.approveTimeOff, role)) && (() => onAway(column))
      }
      draggable={may(AppointmentAccess.moveAppointment, role)}
      onOpen={onOpen}
    />
  );
}
