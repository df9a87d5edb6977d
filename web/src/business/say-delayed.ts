import { customerOf, employeesOf } from '../day/naming';
import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { moment, timeOfDay } from '../time/zoned';
import { toasts } from '../ui/toasts';
import { undoAction } from './undo-change';

/** Says when a late visit starts or ends now, and offers to take the delay back. */
export function sayDelayed(businessId: string, delayed: Appointment, changeId: string, zone: string): void {
  const begun = delayed.state === AppointmentState.IN_SERVICE;
  const at = moment(begun ? delayed.endsAt : delayed.startsAt);
  const customer = customerOf(delayed);
  const when = `${begun ? 'ends' : 'starts'} at ${at ? timeOfDay(at, zone) : 'another time'}`;
  toasts.show(
    'good',
    `${customer} with ${employeesOf(delayed)} ${when}.`,
    undoAction(businessId, changeId, `${customer} ${begun ? 'ends' : 'starts'} when it was planned.`),
  );
}
