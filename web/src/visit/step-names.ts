import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';

/** What a step's button says. */
export const STEP_NAMES: Partial<Record<AppointmentState, string>> = {
  [AppointmentState.CONFIRMED]: 'Confirm',
  [AppointmentState.ARRIVED]: 'Arrived',
  [AppointmentState.IN_SERVICE]: 'Start service',
  [AppointmentState.COMPLETED]: 'Complete',
  [AppointmentState.NO_SHOW]: 'No-show',
};
