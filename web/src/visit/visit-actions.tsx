import { Grid } from '@chakra-ui/react';
import { may } from '../api/access';
import { isCancellable } from '../appointments/state';
import { isDelayable } from '../business/open-now';
import { isMovable } from '../day/move-visit';
import { AppointmentAccess, ProposalAccess, WaitlistAccess } from '../gen/access';
import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { dayKey, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { usePrint } from '../ui/print-sheet';
import { useNow } from '../ui/use-now';
import type { VisitPanelProps } from './visit-panel-props';
import { VisitSheet } from './visit-sheet';

/** What is being done with a visit. */
export type Doing = 'move' | 'stylist' | 'change' | 'edit' | 'wait' | 'late' | 'again' | 'cancel';

type ActionsProps = VisitPanelProps & { onDo: (doing: Doing) => void };

/** Buttons for what can be done with the visit now. */
export function VisitActions(props: ActionsProps) {
  const { businessId, visit, zone, role, delayWindow, onDay = false, onDo } = props;
  const now = useNow(15_000);
  const movable = isMovable(visit) && may(AppointmentAccess.moveAppointment, role);
  const delayable = isDelayable(delayWindow, now) && may(ProposalAccess.delayAppointment, role);
  const cancellable = isCancellable(visit.state) && may(AppointmentAccess.cancelAppointment, role);
  const start = moment(visit.startsAt);
  const { printing, print } = usePrint();
  return (
    <Grid
      gap="2"
      gridTemplateColumns="repeat(auto-fill, minmax(min(9.75rem, 100%), 1fr))"
      role="group"
      aria-label="Visit"
    >
      {movable && <Button onClick={() => onDo('move')}>Move…</Button>}
      {movable && hasOneEmployee(visit) && <Button onClick={() => onDo('stylist')}>Another stylist…</Button>}
      {movable && <Button onClick={() => onDo('change')}>Exact time…</Button>}
      {may(AppointmentAccess.changeAppointment, role) && (
        <Button onClick={() => onDo('edit')}>{movable ? 'Services, notes…' : 'Notes…'}</Button>
      )}
      {delayable && <Button onClick={() => onDo('late')}>Running late…</Button>}
      {movable && visit.customerId && may(WaitlistAccess.moveToWaitlist, role) && (
        <Button onClick={() => onDo('wait')}>To the waitlist…</Button>
      )}
      {may(AppointmentAccess.bookAppointment, role) && (
        <Button onClick={() => onDo('again')}>Book again…</Button>
      )}
      {visit.state !== AppointmentState.CANCELLED && <Button onClick={print}>Print…</Button>}
      {printing && <VisitSheet businessId={businessId} visit={visit} zone={zone} />}
      {!onDay && start && (
        <ButtonLink
          to={`${paths.schedule(businessId)}?${new URLSearchParams({ date: dayKey(start, zone), visit: visit.id })}`}
          variant="outline"
        >
          Show on the day
        </ButtonLink>
      )}
      {cancellable && (
        // The longest of them, in a phone's half.
        <Button
          variant="dangerOutline"
          px="2"
          fontSize={{ base: '0.875rem', sm: '1rem' }}
          onClick={() => onDo('cancel')}
        >
          Cancel appointment
        </Button>
      )}
    </Grid>
  );
}

/** Another one is looked for in place of one. */
const hasOneEmployee = ({ items }: Appointment): boolean =>
  new Set(items.map(({ employeeId }) => employeeId)).size === 1;
