import { chakra, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, Footprints } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { customerQuery } from '../customers/queries';
import { AppointmentAccess, WaitlistAccess } from '../gen/access';
import { isId, paths } from '../paths';
import { Button } from '../ui/button';
import { useShortcuts } from '../ui/use-shortcuts';
import type { Chosen } from './walk-in-dialog';

const BookingDialog = fetchedAhead(() =>
  import('./booking-dialog').then(({ BookingDialog }) => BookingDialog),
);
const WalkInDialog = fetchedAhead(() => import('./walk-in-dialog').then(({ WalkInDialog }) => WalkInDialog));

type Open = { kind: 'walk-in' } | { kind: 'booking'; chosen?: Chosen; start?: Date };

type BookingButtonsProps = { businessId: string; role: string };

/** Opens a new booking from any page of a business: by button, or with `c`. */
export function BookingButtons({ businessId, role }: BookingButtonsProps) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const mayBook = may(AppointmentAccess.bookAppointment, role);
  // On a page with a date the booking begins with that date.
  const day = useSearchParams()[0].get('date') ?? '';
  // On a customer's page it begins with that customer, as does a walk-in.
  const { customerId } = useParams();
  const customer = useQuery({
    ...customerQuery(businessId, customerId ?? ''),
    enabled: mayBook && isId(customerId),
  }).data?.customer;
  // Nothing is booked for one who is erased.
  const shown = isId(customerId) && customer && !customer.erasedAt ? { customer } : {};

  // `c` creates, as in calendars.
  useShortcuts(
    { c: mayBook ? { what: 'New booking', run: () => setOpen({ kind: 'booking' }) } : undefined },
    'shell',
  );
  if (!mayBook) return null;
  /** A dialog that gives way to another one must not close that. */
  const close = (kind: Open['kind']) => setOpen((now) => (now?.kind === kind ? null : now));
  const wait = (join: Chosen) => {
    close('walk-in');
    void navigate(paths.waitlist(businessId), { state: { join } });
  };
  return (
    <Flex gap="2" flexShrink="0">
      {may(AppointmentAccess.bookWalkIn, role) && (
        <Button aria-label="Walk-in" px={{ base: '3', md: '4' }} onClick={() => setOpen({ kind: 'walk-in' })}>
          <Footprints size={18} aria-hidden />
          <chakra.span hideBelow="md">Walk-in</chakra.span>
        </Button>
      )}
      <Button
        aria-label="New booking"
        aria-keyshortcuts="c"
        variant="tinted"
        px={{ base: '3', md: '4' }}
        onClick={() => setOpen({ kind: 'booking' })}
      >
        <CalendarPlus size={18} aria-hidden />
        <chakra.span hideBelow="md">New booking</chakra.span>
      </Button>
      {open?.kind === 'booking' && (
        <BookingDialog
          open
          businessId={businessId}
          day={day}
          {...(open.chosen ? { chosen: open.chosen } : {})}
          {...(open.start ? { start: open.start } : {})}
          {...shown}
          onClose={() => close('booking')}
        />
      )}
      {open?.kind === 'walk-in' && (
        <WalkInDialog
          businessId={businessId}
          {...shown}
          onClose={() => close('walk-in')}
          onBook={(chosen, start) => setOpen({ kind: 'booking', chosen, ...(start ? { start } : {}) })}
          onWait={may(WaitlistAccess.joinWaitlist, role) ? wait : undefined}
        />
      )}
    </Flex>
  );
}
