import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarX2, Footprints } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../api/action';
import { employeesQuery } from '../business/queries';
import { useZone } from '../business/use-zone';
import { CustomerPicker } from '../customers/customer-picker';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { ZoneNote } from '../time/zone-note';
import { dayKey, timeOfDay, timeSpan } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Bar, Loading, RowsSkeleton } from '../ui/skeleton';
import { Note, Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { tellBooked } from './booked';
import { type Draft, type Item, isSearchable, itemsOf, newDraft, visitsOf } from './draft';
import { bookableServicesQuery } from './queries';
import { ServicesPart } from './services-part';
import { nextStartQuery } from './walk-in';

type WalkInDialogProps = { businessId: string; onClose: () => void };

/** Books a customer who is at the desk: who, which services, how soon, with which employee. */
export function WalkInDialog({ businessId, onClose }: WalkInDialogProps) {
  const zone = useZone(businessId);
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>(() => newDraft(dayKey(new Date(), zone), null, ''));
  const [customer, setCustomer] = useState<Customer | null>(null);
  const services = useQuery(bookableServicesQuery(businessId));
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const offered = services.data?.services ?? [];
  const { act, running, error } = useAction(AppointmentService.method.bookWalkIn, {
    onDone: ({ appointment }) => {
      if (!appointment) return;
      const open = () => void navigate(paths.appointment(businessId, appointment.id));
      tellBooked({ businessId, appointment, zone, open });
      onClose();
    },
  });
  const searchable = isSearchable(draft);
  // Of several who could do everything, the first: the salon's own order.
  const items = searchable ? (visitsOf(draft, offered)[0] ?? itemsOf(draft)) : [];
  return (
    <FormDialog
      title="Walk-in"
      busy={running}
      onSubmit={() => searchable && act({ businessId, items, customerId: customer?.id ?? '' })}
      onClose={onClose}
    >
      <ZoneNote zone={zone} />
      <CustomerPicker
        businessId={businessId}
        customer={customer}
        anonymous="Optional: leave empty for an unnamed guest."
        onChange={setCustomer}
      />
      <Reading
        query={services}
        what="The services"
        skeleton={<RowsSkeleton rows={2} label="Loading services" />}
      >
        {() => (
          <ServicesPart alone draft={draft} services={offered} employees={employees} onChange={setDraft} />
        )}
      </Reading>
      {searchable && <Next businessId={businessId} items={items} zone={zone} />}
      <Refusal>{error && messageOf(error, 'The walk-in could not be booked.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Close
        </Button>
        <Button type="submit" variant="contained" loading={running} disabled={!searchable}>
          Book now
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

function Next({ businessId, items, zone }: { businessId: string; items: Item[]; zone: string }) {
  const query = useQuery(nextStartQuery(businessId, items));
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
      {(next) =>
        next ? (
          <Note tone="good" icon={Footprints}>
            <Stack gap="0">
              <Text fontWeight="650">
                {timeOfDay(next.startsAt, zone)} with {new Intl.ListFormat('en-GB').format(next.names)}
              </Text>
              <Muted color="inherit">{timeSpan(next.startsAt, next.endsAt, zone)}, as it looks now</Muted>
            </Stack>
          </Note>
        ) : (
          <Note tone="warn" icon={CalendarX2}>
            Nothing is free within the hour. A booking or the waitlist may help.
          </Note>
        )
      }
    </Reading>
  );
}
