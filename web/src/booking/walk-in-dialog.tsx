import { Flex, Stack } from '@chakra-ui/react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { CalendarX2, Footprints } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../api/action';
import { employeesQuery } from '../business/queries';
import { readOffersAgain } from '../business/read-visits-again';
import { useZone } from '../business/use-zone';
import { CustomerPicker } from '../customers/customer-picker';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { inSentence } from '../time/in-sentence';
import { ZoneNote } from '../time/zone-note';
import { dayKey, dayName, moment, timeOfDay, timeSpan } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Bar, Loading, RowsSkeleton } from '../ui/skeleton';
import { Note, Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { tellBooked } from './booked';
import { type Draft, type Item, isSearchable, itemsOf, newDraft, visitsOf } from './draft';
import { handsOf } from './offers';
import { bookableServicesQuery, earliestQuery } from './queries';
import { ServicesPart } from './services-part';
import { useFirstCustomer } from './use-first-customer';
import { usePatchTests } from './use-patch-tests';
import { nextStartQuery, type Soon } from './walk-in';

/** What was chosen so far, for another way to serve the customer. */
export type Chosen = { draft: Draft; customer: Customer | null };

type WalkInDialogProps = {
  businessId: string;
  /** Whose page is open: the walk-in begins with this customer. */
  customer?: Customer;
  onClose: () => void;
  /** Goes on to a booking, at a start if one is known. */
  onBook: (chosen: Chosen, start: Date | undefined) => void;
  /** Goes on to the waitlist; undefined without the permission. */
  onWait: ((chosen: Chosen) => void) | undefined;
};

/** Books a customer who is at the desk: who, which services, how soon, with which employee. */
export function WalkInDialog({ businessId, customer: known, onClose, onBook, onWait }: WalkInDialogProps) {
  const zone = useZone(businessId);
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>(() => newDraft(dayKey(new Date(), zone), null, ''));
  const [customer, setCustomer, keepCustomer] = useFirstCustomer(known);
  const services = useQuery(bookableServicesQuery(businessId));
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const offered = services.data?.services ?? [];
  const { act, running, error, reset } = useAction(AppointmentService.method.bookWalkIn, {
    onDone: ({ appointment, changeId }) => {
      if (!appointment) return;
      const open = () => void navigate(paths.appointment(businessId, appointment.id));
      tellBooked({ businessId, appointment, zone, changeId, open });
      onClose();
    },
    // The start is gone: what is free now is offered instead.
    onRefused: readOffersAgain,
  });
  const searchable = isSearchable(draft);
  // Of several who could do everything, the first: the salon's own order.
  const items = searchable ? (visitsOf(draft, offered)[0] ?? itemsOf(draft)) : [];
  const next = useQuery({ ...nextStartQuery(businessId, items), enabled: searchable });
  const tests = usePatchTests(
    {
      businessId,
      customerId: customer?.id ?? '',
      serviceIds: items.map(({ serviceId }) => serviceId),
      services: offered,
      start: undefined,
    },
    'Book without the test',
  );
  const bookable = searchable && Boolean(next.data?.next) && tests.settled;
  const full = searchable && next.data?.next === null;
  // A refusal is about what was chosen when it came.
  const change = (changed: Draft) => {
    reset();
    setDraft(changed);
  };
  return (
    <FormDialog
      title="Walk-in"
      busy={running}
      onSubmit={() => bookable && act({ businessId, items, customerId: customer?.id ?? '' })}
      onClose={onClose}
    >
      <ZoneNote zone={zone} />
      <CustomerPicker
        businessId={businessId}
        customer={customer}
        anonymous="Optional: leave empty for an unnamed guest."
        onChange={(chosen) => {
          reset();
          setCustomer(chosen);
        }}
        onBegin={keepCustomer}
      />
      <Reading
        query={services}
        what="The services"
        skeleton={<RowsSkeleton rows={2} label="Loading services" />}
      >
        {() => (
          <ServicesPart alone draft={draft} services={offered} employees={employees} onChange={change} />
        )}
      </Reading>
      {next.data?.next && tests.note}
      {searchable && (
        <Next
          query={next}
          zone={zone}
          otherwise={(why) => (
            <Otherwise
              why={why}
              businessId={businessId}
              items={items}
              zone={zone}
              onBook={(start) => onBook({ draft, customer }, start)}
              onWait={onWait && (() => onWait({ draft, customer }))}
            />
          )}
        />
      )}
      <Refusal>{error && messageOf(error, 'The walk-in could not be booked.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Close
        </Button>
        {!full && (
          <Button type="submit" variant="contained" loading={running} disabled={!bookable}>
            Book now
          </Button>
        )}
      </DialogActions>
    </FormDialog>
  );
}

type NextProps = {
  query: UseQueryResult<Soon>;
  zone: string;
  /** What can be done when nothing is free within the hour. */
  otherwise: (why: string) => ReactNode;
};

function Next({ query, zone, otherwise }: NextProps) {
  return (
    <Reading
      query={query}
      what="The next start"
      skeleton={
        <Loading label="Looking for the next start">
          <Bar height="3.5rem" />
        </Loading>
      }
    >
      {({ next, why }) =>
        next ? (
          <Note tone="good" icon={Footprints}>
            <Stack gap="0">
              <Text fontWeight="650">
                {timeOfDay(next.startsAt, zone)} with {new Intl.ListFormat('en-GB').format(next.names)}
              </Text>
              <Muted color="inherit">
                {timeSpan(next.startsAt, next.endsAt, zone)}, checked again when you book
              </Muted>
            </Stack>
          </Note>
        ) : (
          otherwise(why)
        )
      }
    </Reading>
  );
}

type OtherwiseProps = {
  why: string;
  businessId: string;
  items: Item[];
  zone: string;
  onBook: (start: Date | undefined) => void;
  onWait: (() => void) | undefined;
};

/** The next free time of the coming days, a booking at another one, the waitlist. */
function Otherwise({ why, businessId, items, zone, onBook, onWait }: OtherwiseProps) {
  const later = useQuery(earliestQuery(businessId, items));
  const offer = later.data?.offers[0];
  const start = moment(offer?.startsAt);
  const when = start && `${dayName(start, zone, new Date())}, ${timeOfDay(start, zone)}`;
  return (
    <Stack gap="3">
      <Note tone="warn" icon={CalendarX2}>
        {why}
        {when && offer && ` The next free time is ${inSentence(when)} with ${handsOf(offer)}.`}
        {later.data && !offer && ' Nothing is free in the next two weeks either.'}
      </Note>
      <Flex gap="2" wrap="wrap" css={{ '& > *': { flex: { base: '1 1 100%', sm: '0 1 auto' } } }}>
        {start && when && (
          <Button variant="tinted" onClick={() => onBook(start)}>
            Book {inSentence(when)}…
          </Button>
        )}
        <Button onClick={() => onBook(undefined)}>Other times…</Button>
        {onWait && <Button onClick={onWait}>Add to the waitlist…</Button>}
      </Flex>
    </Stack>
  );
}
