import { chakra, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { employeesQuery } from '../business/queries';
import { readOffersAgain } from '../business/read-visits-again';
import { useZone } from '../business/use-zone';
import { CustomerPicker } from '../customers/customer-picker';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { instantOf } from '../time/local';
import { isDay } from '../time/local-day';
import { ZoneNote } from '../time/zone-note';
import { dayKey, dayName, localMinute } from '../time/zoned';
import { FormDialog } from '../ui/dialog';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { H3 } from '../ui/text';
import { useBeside } from '../ui/use-width';
import { tellBooked, tellSeriesBooked } from './booked';
import { type Draft, type Item, newDraft } from './draft';
import { MoreChoices } from './more-choices';
import { pinned } from './offers';
import { OffersPart } from './offers-part';
import { bookableServicesQuery } from './queries';
import { ServicesPart, WhoPart, whoText } from './services-part';
import { useFirstCustomer } from './use-first-customer';
import { useHold } from './use-hold';
import { useOffers } from './use-offers';
import { VisitPart } from './visit-part';
import { DayField, OtherWhenPart, otherWhenText, WhenPart } from './when-part';
import { offerRefused } from './why-refused';

export type BookingDialogProps = {
  businessId: string;
  open: boolean;
  onClose: () => void;
  /** The start that was clicked: offers at that time come first. */
  start?: Date;
  /** The day on screen, as 2026-06-02: unless it is past, its free times come first. */
  day?: string;
  /** The employee whose column was clicked. */
  employeeId?: string;
  /** The service that is already chosen on the page. */
  serviceId?: string;
  /** What was chosen in another dialog. */
  chosen?: { draft: Draft; customer: Customer | null };
  /** Whose page is open: the booking begins with this customer. */
  customer?: Customer;
  /** The number of a caller who is no known customer yet. */
  callerNumber?: string;
  /** The call it is booked from: the visit keeps it. */
  callId?: string;
};

/** Books a visit: who, what, when; then the time is held until it is booked or let go. */
export function BookingDialog({ open, ...props }: BookingDialogProps) {
  return open && <Booking {...props} />;
}

type Chosen = { offer: Offer; items: Item[] };

function Booking(props: Omit<BookingDialogProps, 'open'>) {
  const {
    businessId,
    onClose,
    start,
    day: seen = '',
    employeeId = '',
    serviceId = '',
    chosen: brought,
    callerNumber = '',
    callId = '',
  } = props;
  const zone = useZone(businessId);
  const navigate = useNavigate();
  const today = dayKey(new Date(), zone);
  const [draft, setDraft] = useState<Draft>(() => {
    const day = start ? dayKey(start, zone) : isDay(seen) && seen > today ? seen : today;
    const minute = start ? localMinute(start, zone).minute : null;
    return brought ? { ...brought.draft, day, start: minute } : newDraft(day, minute, employeeId, serviceId);
  });
  // One removed from a walk-in stays removed.
  const [customer, setCustomer, keepCustomer] = useFirstCustomer(props.customer, brought?.customer);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  // Without room for two columns, free times come after what is chosen.
  const besideTimes = useBeside();
  const services = useQuery(bookableServicesQuery(businessId));
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const customerId = customer?.id ?? '';
  const offered = services.data?.services ?? [];
  const found = useOffers({ businessId, draft, services: offered, customerId, zone });
  const hold = useHold(businessId, ({ offer }) => {
    if (offer) setChosen({ offer, items: pinned(found.items, offer, draft.stylist) });
  });

  const change = (next: Draft) => {
    setRefused(null);
    setDraft(next);
  };
  const choose = (offer: Offer) => {
    setRefused(null);
    hold.take(pinned(found.items, offer, draft.stylist), offer, customerId);
  };
  /** Back to the offers, with the reason where there is one. */
  const back = (reason: string | null = null) => {
    void hold.drop();
    setChosen(null);
    setRefused(reason);
    readOffersAgain();
  };
  const leave = (tell: () => void) => {
    hold.spend();
    tell();
    onClose();
  };
  const day = dayName(instantOf(draft.day, 720, zone), zone, new Date());

  return (
    <FormDialog
      title="New booking"
      wide
      chosen={chosen !== null}
      onSubmit={() => undefined}
      onClose={onClose}
    >
      <ZoneNote zone={zone} />
      <Grid
        gap={{ base: '6', md: '8' }}
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' }}
      >
        <Stack gap="5" minWidth="0">
          <CustomerPicker
            businessId={businessId}
            customer={customer}
            startText={callerNumber}
            anonymous="Optional: leave empty for an unnamed guest."
            autoFocus
            onChange={setCustomer}
            onBegin={keepCustomer}
          />
          <Reading
            query={services}
            what="The services"
            skeleton={<RowsSkeleton rows={2} label="Loading services" />}
          >
            {() => (
              // A hold is for one choice: another choice starts again at the offers.
              <chakra.fieldset
                display={chosen ? { base: 'none', md: 'grid' } : 'grid'}
                gap="5"
                minWidth="0"
                disabled={chosen !== null}
                opacity={chosen ? '0.6' : undefined}
              >
                <ServicesPart
                  draft={draft}
                  services={offered}
                  employees={employees}
                  folded={!besideTimes}
                  onChange={change}
                />
                {besideTimes ? (
                  <WhenPart draft={draft} today={today} onChange={change} />
                ) : (
                  <>
                    <DayField draft={draft} today={today} onChange={change} />
                    <MoreChoices text={moreText(draft, employees)}>
                      <OtherWhenPart draft={draft} today={today} onChange={change} />
                      <WhoPart draft={draft} employees={employees} onChange={change} />
                    </MoreChoices>
                  </>
                )}
              </chakra.fieldset>
            )}
          </Reading>
        </Stack>
        <Stack gap="3" minWidth="0" aria-live="polite">
          {chosen ? (
            <VisitPart
              businessId={businessId}
              chosen={chosen}
              hold={hold}
              customerId={customerId}
              callId={callId}
              zone={zone}
              onBack={back}
              onBooked={(appointment, changeId) =>
                leave(() =>
                  tellBooked({
                    businessId,
                    appointment,
                    zone,
                    changeId,
                    open: () => void navigate(paths.appointment(businessId, appointment.id)),
                  }),
                )
              }
              onSeries={(series, changeId) =>
                leave(() => {
                  const first = series.appointments[0]?.id ?? '';
                  const open = () => void navigate(paths.appointment(businessId, first));
                  tellSeriesBooked({ businessId, series, changeId, zone, open });
                })
              }
            />
          ) : (
            <>
              <H3>{found.searchable ? `Free ${dayWords(day)}` : 'Free times'}</H3>
              <Refusal>
                {refused ?? (hold.error && offerRefused(hold.error, 'This time could not be held.'))}
              </Refusal>
              <OffersPart
                found={found}
                day={dayWords(day)}
                zone={zone}
                busy={hold.running}
                onChoose={choose}
              />
            </>
          )}
        </Stack>
      </Grid>
    </FormDialog>
  );
}

const dayWords = (day: string) => (day === 'Today' || day === 'Tomorrow' ? day.toLowerCase() : `on ${day}`);

function moreText(draft: Draft, employees: Employee[]): string {
  const chosen = [otherWhenText(draft), whoText(draft, employees)].filter(Boolean).join(', ');
  return chosen || 'exact start, part of the day';
}
