import { useQuery } from '@tanstack/react-query';
import { fetchedAhead } from '../api/fetched-ahead';
import { CancelDialog } from '../appointments/cancel-dialog';
import { draftAgain } from '../booking/draft';
import { customerQuery } from '../customers/queries';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { DelayDialog } from '../proposals/delay-dialog';
import { dayKey } from '../time/zoned';
import type { Doing } from './visit-actions';

const MoveDialog = fetchedAhead(() => import('../booking/move-dialog').then(({ MoveDialog }) => MoveDialog));
const OtherStylistDialog = fetchedAhead(() =>
  import('../booking/other-stylist-dialog').then(({ OtherStylistDialog }) => OtherStylistDialog),
);
const ChangeDialog = fetchedAhead(() =>
  import('../booking/change-dialog').then(({ ChangeDialog }) => ChangeDialog),
);
const WaitDialog = fetchedAhead(() => import('../waitlist/wait-dialog').then(({ WaitDialog }) => WaitDialog));
const BookingDialog = fetchedAhead(() =>
  import('../booking/booking-dialog').then(({ BookingDialog }) => BookingDialog),
);

type VisitDialogsProps = {
  businessId: string;
  visit: Appointment;
  zone: string;
  when: string;
  doing: Doing | null;
  onDo: (doing: Doing) => void;
  onClose: () => void;
};

/** The dialog in which something is done with a visit. */
export function VisitDialogs(props: VisitDialogsProps) {
  const { businessId, visit, zone, when, doing, onDo, onClose } = props;
  const known = { businessId, appointment: visit, zone, onClose };
  switch (doing) {
    case 'move':
      return <MoveDialog {...known} />;
    case 'stylist':
      return (
        <OtherStylistDialog
          {...known}
          employeeId={visit.items[0]?.employeeId ?? ''}
          onAnotherTime={() => onDo('move')}
        />
      );
    case 'edit':
      return <ChangeDialog {...known} />;
    case 'wait':
      return <WaitDialog {...known} />;
    case 'late':
      return <DelayDialog {...known} />;
    case 'again':
      return <BookAgain businessId={businessId} visit={visit} zone={zone} onClose={onClose} />;
    case 'cancel':
      return <CancelDialog {...known} when={when} />;
    default:
      return null;
  }
}

type BookAgainProps = Pick<VisitDialogsProps, 'businessId' | 'visit' | 'zone' | 'onClose'>;

/** Books the same once more: its customer, services and stylists are chosen already. */
function BookAgain({ businessId, visit, zone, onClose }: BookAgainProps) {
  const customer = useQuery({
    ...customerQuery(businessId, visit.customerId),
    enabled: visit.customerId !== '',
  });
  // Who it is for is known, or can't be: then the dialog asks.
  if (visit.customerId && customer.isPending) return null;
  const draft = draftAgain(visit, dayKey(new Date(), zone));
  return (
    <BookingDialog
      open
      businessId={businessId}
      chosen={{ draft, customer: customer.data?.customer ?? null }}
      onClose={onClose}
    />
  );
}
