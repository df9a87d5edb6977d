import { useState } from 'react';
import { call } from '../api/call';
import { readTeamAgain } from '../business/read-team-again';
import { spansOf } from '../day/spans';
import {
  type DayHours,
  ScheduleService,
  type WeeklySchedule,
} from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { messageOf } from '../http/errors';
import { longDayText, sinceText } from '../time/day-text';
import { toasts } from '../ui/toasts';
import { daySpans, weeklySpans, weekOfSpans } from './hours';
import { type HoursChange, useHoursChange } from './hours-change';

/** A pending removal, with its undo. */
type Removal = HoursChange & { what: string; back: () => Promise<unknown> };

const { setWeeklySchedule, removeWeeklySchedule, setDayHours, removeDayHours } = ScheduleService.method;

/** Takes weeks and single days of an employee away, each with an undo; what strands visits asks first. */
export function useRemoving(businessId: string, employeeId: string) {
  const [removal, setRemoval] = useState<Removal>();
  const { apply, strandedBy, running, error, reset } = useHoursChange(() => {
    const gone = removal;
    setRemoval(undefined);
    if (gone) toasts.show('good', `${gone.what} is removed.`, { label: 'Undo', run: () => undo(gone) });
  });
  const begin = (wanted: Removal) => {
    reset();
    setRemoval(wanted);
    apply(wanted);
  };
  const where = { businessId, employeeId };
  return {
    removeWeek: ({ effectiveFrom, spans }: WeeklySchedule) =>
      begin({
        key: `week ${effectiveFrom}`,
        what: `The week ${sinceText(effectiveFrom)}`,
        send: (validateOnly) => call(removeWeeklySchedule, { ...where, effectiveFrom, validateOnly }),
        back: () =>
          call(setWeeklySchedule, { ...where, effectiveFrom, spans: weeklySpans(weekOfSpans(spans)) }),
      }),
    removeDay: ({ date, spans }: DayHours) =>
      begin({
        key: `day ${date}`,
        what: longDayText(date),
        send: (validateOnly) => call(removeDayHours, { ...where, date, validateOnly }),
        back: () => call(setDayHours, { ...where, date, spans: daySpans(spansOf(spans)) }),
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

function undo({ what, back }: Removal): void {
  back()
    .then(() => {
      readTeamAgain();
      toasts.show('info', `${what} is back.`);
    })
    .catch((error: unknown) => toasts.show('bad', messageOf(error, `${what} could not be brought back.`)));
}
