import { AppointmentState, type AppointmentStep } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { moment } from '../../time/zoned';

/** Whether a visit can be brought to a state now. */
export function isOpen({ from, until }: AppointmentStep, now: Date): boolean {
  const [first, last] = [moment(from), moment(until)];
  return (first === null || first <= now) && (last === null || now < last);
}

/** What a step's button says. */
export const STEP_NAMES: Partial<Record<AppointmentState, string>> = {
  [AppointmentState.CONFIRMED]: 'Confirm',
  [AppointmentState.ARRIVED]: 'Arrived',
  [AppointmentState.IN_SERVICE]: 'Start service',
  [AppointmentState.COMPLETED]: 'Complete',
  [AppointmentState.NO_SHOW]: 'No-show',
};
