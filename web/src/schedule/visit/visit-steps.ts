import {
  type Appointment,
  AppointmentState,
  type StateChange,
} from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { dayKey, moment } from '../../time/zoned';

export type Step = { state: AppointmentState; label: string };

const { BOOKED, CONFIRMED, ARRIVED, IN_SERVICE, COMPLETED, NO_SHOW, CANCELLED } = AppointmentState;

const ONWARD: Step[] = [
  { state: CONFIRMED, label: 'Confirm' },
  { state: ARRIVED, label: 'Arrived' },
  { state: IN_SERVICE, label: 'Start service' },
  { state: COMPLETED, label: 'Complete' },
];

/** Where a visit can go from here, the likeliest first. */
export function stepsOf({ state, startsAt }: Appointment, now: Date): Step[] {
  if (![BOOKED, CONFIRMED, ARRIVED, IN_SERVICE].includes(state)) return [];
  const onward = ONWARD.filter((step) => step.state > state);
  const start = moment(startsAt);
  const awaited = state === BOOKED || state === CONFIRMED;
  // A visit is no no-show before its start.
  return awaited && start && start <= now ? [...onward, { state: NO_SHOW, label: 'No-show' }] : onward;
}

/** The state that a wrong click can be taken back to: the one before, on the same local day. */
export function wayBack(
  { state }: Appointment,
  changes: readonly StateChange[],
  zone: string,
  now: Date,
): AppointmentState | undefined {
  const [before, last] = changes.slice(-2);
  const entered = moment(last?.enteredAt);
  if (!before || !last || last.state !== state || !entered) return undefined;
  return dayKey(entered, zone) === dayKey(now, zone) ? before.state : undefined;
}

export const isCancelled = ({ state }: Appointment) => state === CANCELLED;
