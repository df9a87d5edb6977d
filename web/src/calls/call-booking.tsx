import { chakra } from '@chakra-ui/react';
import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { queries } from '../api/query-client';
import { type Draft, newDraft } from '../booking/draft';
import { bookableServicesQuery } from '../booking/queries';
import { callerOf } from '../business/call-outcome';
import { employeesQuery, useBusinessRole } from '../business/queries';
import { useZone } from '../business/use-zone';
import { customerQuery } from '../customers/queries';
import { AppointmentAccess } from '../gen/access';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { dayKey } from '../time/zoned';
import { Button } from '../ui/button';
import { ScreenReaderOnly } from '../ui/text';
import { askedFor } from './asked-for';
import { callQuery } from './queries';
import { useMatched } from './use-caller';

const BookingDialog = fetchedAhead(() =>
  import('../booking/booking-dialog').then(({ BookingDialog }) => BookingDialog),
);

/** What a booking begins with that is made for a caller. */
export type CallBooking = { callId: string; draft: Draft; customer: Customer | null; number: string };

/** What can't be read is left to be chosen in the dialog. */
async function prepare(
  businessId: string,
  call: Call,
  customerId: string,
  today: string,
): Promise<CallBooking> {
  const [answer, services, employees, customer] = await Promise.allSettled([
    queries.fetchQuery(callQuery(businessId, call.id)),
    queries.fetchQuery(bookableServicesQuery(businessId)),
    queries.fetchQuery(employeesQuery(businessId)),
    customerId ? queries.fetchQuery(customerQuery(businessId, customerId)) : undefined,
  ]);
  const known = {
    services: services.status === 'fulfilled' ? services.value.services : [],
    employees: employees.status === 'fulfilled' ? employees.value : [],
  };
  return {
    callId: call.id,
    draft:
      answer.status === 'fulfilled'
        ? askedFor(answer.value.toolCalls, today, known)
        : newDraft(today, null, ''),
    customer: (customer.status === 'fulfilled' && customer.value?.customer) || null,
    number: call.fromNumber,
  };
}

type BookForCallerProps = {
  businessId: string;
  call: Call;
  /** A phone shows its sign alone. */
  compact?: boolean;
  onPrepared: (booking: CallBooking) => void;
};

/** Begins a booking with the caller and what they asked for; absent for those who may not book. */
export function BookForCaller({ businessId, call, compact = false, onPrepared }: BookForCallerProps) {
  const role = useBusinessRole(businessId);
  const zone = useZone(businessId);
  const matched = useMatched(businessId, call);
  const [preparing, setPreparing] = useState(false);
  if (role.kind !== 'member' || !may(AppointmentAccess.bookAppointment, role.role)) return null;
  const begin = async () => {
    setPreparing(true);
    const [only, another] = matched;
    const customerId = only && !another ? only.id : '';
    const booking = await prepare(businessId, call, customerId, dayKey(new Date(), zone));
    setPreparing(false);
    onPrepared(booking);
  };
  return (
    <Button loading={preparing} whiteSpace="normal" onClick={() => void begin()}>
      {!preparing && <CalendarPlus size={18} aria-hidden />}
      {/* On the call's page another button books for anyone. */}
      <chakra.span srOnly={compact ? { base: true, sm: false } : undefined}>
        New booking{!compact && ` for ${callerOf(call)}`}
      </chakra.span>
      {compact && <ScreenReaderOnly> for {callerOf(call)}</ScreenReaderOnly>}
    </Button>
  );
}

type CallBookingDialogProps = { businessId: string; booking: CallBooking; onClose: () => void };

export function CallBookingDialog({ businessId, booking, onClose }: CallBookingDialogProps) {
  return (
    <BookingDialog
      open
      businessId={businessId}
      day={booking.draft.day}
      chosen={booking}
      callerNumber={booking.number}
      callId={booking.callId}
      onClose={onClose}
    />
  );
}
