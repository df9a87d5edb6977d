import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { Badge, type Tone } from '../ui/badge';

const LOOK: Record<AppointmentState, { label: string; tone: Tone }> = {
  [AppointmentState.UNSPECIFIED]: { label: 'Unknown', tone: 'quiet' },
  [AppointmentState.BOOKED]: { label: 'Booked', tone: 'brand' },
  [AppointmentState.CONFIRMED]: { label: 'Confirmed', tone: 'good' },
  [AppointmentState.ARRIVED]: { label: 'Arrived', tone: 'info' },
  [AppointmentState.IN_SERVICE]: { label: 'In service', tone: 'violet' },
  [AppointmentState.COMPLETED]: { label: 'Completed', tone: 'quiet' },
  [AppointmentState.CANCELLED]: { label: 'Cancelled', tone: 'bad' },
  [AppointmentState.NO_SHOW]: { label: 'No-show', tone: 'warn' },
};

/** "In service". */
export function stateName(state: AppointmentState): string {
  return (LOOK[state] ?? LOOK[AppointmentState.UNSPECIFIED]).label;
}

export function AppointmentBadge({ state }: { state: AppointmentState }) {
  const { label, tone } = LOOK[state] ?? LOOK[AppointmentState.UNSPECIFIED];
  return <Badge tone={tone}>{label}</Badge>;
}

/** States from which a visit can still be called off. */
const CANCELLABLE = new Set([AppointmentState.BOOKED, AppointmentState.CONFIRMED, AppointmentState.ARRIVED]);

export function isCancellable(state: AppointmentState): boolean {
  return CANCELLABLE.has(state);
}
