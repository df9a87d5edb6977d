import { useQuery } from '@tanstack/react-query';
import { appointmentQuery } from '../appointments/queries';
import { AppointmentReference } from '../appointments/reference';
import { isLive } from '../business/call-outcome';
import { meQuery } from '../business/queries';
import { useEmployeesOnRecord } from '../business/use-employees';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { moment } from '../time/zoned';
import { bookedByText } from './booked-by-text';

type TeamVisitProps = { businessId: string; call: Call; appointmentId: string };

/** A visit that a person booked from the call: which, who did, and whether the call still went on. */
export function TeamVisit({ businessId, call, appointmentId }: TeamVisitProps) {
  const { data } = useQuery(appointmentQuery(businessId, appointmentId));
  const userId = useQuery(meQuery()).data?.id ?? '';
  const employees = useEmployeesOnRecord(businessId);
  // From BOOKED on.
  const [booking] = data?.stateChanges ?? [];
  const bookedAt = moment(booking?.enteredAt);
  const endedAt = isLive(call) ? null : moment(call.endedAt);
  const note =
    booking && bookedAt ? bookedByText(booking.enteredBy, bookedAt, endedAt, { employees, userId }) : '';
  return <AppointmentReference businessId={businessId} appointmentId={appointmentId} note={note} />;
}
