import { useState } from 'react';
import { call } from '../api/call';
import { undoAction } from '../business/undo-change';
import {
  type DayHours,
  ScheduleService,
  type WeeklySchedule,
} from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { longDayText, sinceText } from '../time/day-text';
import { toasts } from '../ui/toasts';
import { type HoursChange, useHoursChange } from './hours-change';

/** A pending removal. */
type Removal = HoursChange & { what: string };

const { removeWeeklySchedule, removeDayHours } = ScheduleService.method;

/** Takes weeks and single days of an employee away, each with an undo; what strands visits asks first. */
export function useRemoving(businessId: string, employeeId: string) {
  const [removal, setRemoval] = useState<Removal>();
  const { apply, strandedBy, running, error, reset } = useHoursChange((changeId) => {
    const gone = removal;
    setRemoval(undefined);
    if (gone)
      toasts.show(
        'good',
        `${gone.what} is removed.`,
        undoAction(businessId, changeId, `${gone.what} is back.`),
      );
  });
  const begin = (wanted: Removal) => {
    reset();
    setRemoval(wanted);
    apply(wanted);
  };
  const where = { businessId, employeeId };
  return {
    removeWeek: ({ effectiveFrom }: WeeklySchedule) =>
      begin({
        key: `week ${effectiveFrom}`,
        what: `The week ${sinceText(effectiveFrom)}`,
        send: (validateOnly) => call(removeWeeklySchedule, { ...where, effectiveFrom, validateOnly }),
      }),
    removeDay: ({ date }: DayHours) =>
      begin({
        key: `day ${date}`,
        what: longDayText(date),
        send: (validateOnly) => call(removeDayHours, { ...where, date, validateOnly }),
      }),
    /** What asks before it goes: it would strand visits, or was refused. */
    asking:
      removal && (error || strandedBy(removal.key).length > 0)
        ? { what: removal.what, stranded: strandedBy(removal.key), error, running }
        : undefined,
    confirm: () => removal && apply(removal),
    keep: () => {
      setRemoval(undefined);
      reset();
    },
    running,
  };
}
