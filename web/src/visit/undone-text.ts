import { takenBackText } from '../booking/booked';
import { customerOf } from '../day/naming';
import type { Appointment, UndoableChange } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { moment } from '../time/zoned';
import type { Entry } from './history';

type Undoable = Pick<UndoableChange, 'madeAt' | 'appointmentCount'>;

/** What an undo from the history of a visit says: the first entry is its booking, all others are changes of it. */
export function undoneText(visit: Appointment, history: readonly Entry[], undoable: Undoable): string {
  const { madeAt, appointmentCount } = undoable;
  const booked = history.at(-1);
  if (history.length === 1 || (booked && booked.at.getTime() === moment(madeAt)?.getTime()))
    return takenBackText(appointmentCount);
  return appointmentCount > 1
    ? `The visits of ${customerOf(visit)} are as they were before.`
    : `The visit of ${customerOf(visit)} is as it was before.`;
}
