import { Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { employeesQuery } from '../business/queries';
import { useConsent } from '../business/use-consent';
import { placeOf } from '../day/move-visit';
import { customerOf, employeesOf, servicesOf } from '../day/naming';
import { isLocked } from '../day/wishes';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { Reading } from '../layout/reading';
import { MoveSeriesDialog } from '../series/move-series-dialog';
import { inSentence } from '../time/in-sentence';
import { instantOf } from '../time/local';
import { ZoneNote } from '../time/zone-note';
import { dayKey, dayName, moment, timeOfDay } from '../time/zoned';
import { Choice } from '../ui/choice';
import { FormDialog } from '../ui/dialog';
import { RowsSkeleton } from '../ui/skeleton';
import { Note, Refusal } from '../ui/states';
import { H3, Muted, Text } from '../ui/text';
import { ANYONE, type Draft, draftOf } from './draft';
import { employeesFor } from './offers';
import { OffersPart } from './offers-part';
import { bookableServicesQuery } from './queries';
import { useMoving } from './use-moving';
import { useOffers } from './use-offers';
import { WhenPart } from './when-part';
import { offerRefused } from './why-refused';

type MoveDialogProps = {
  businessId: string;
  appointment: Appointment;
  zone: string;
  /** It begins with anyone: the present employee is not at work, or has something else then. */
  anyone?: boolean;
  onClose: () => void;
};

/** Moves a visit to one of the free times that a booking would be offered, the best first. */
export function MoveDialog({ businessId, appointment, zone, anyone = false, onClose }: MoveDialogProps) {
  const today = dayKey(new Date(), zone);
  const start = moment(appointment.startsAt) ?? new Date();
  const visitDay = dayKey(start, zone);
  const [wanted, setDraft] = useState<Draft>(() => ({
    ...draftOf(appointment, visitDay < today ? today : visitDay),
    // Most who ask for another time mean the same stylist.
    stylist: anyone || !employeesOf(appointment) ? 'any' : 'only',
  }));
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const { ask, question } = useConsent((id) => employees.find((employee) => employee.id === id)?.name ?? '');
  const services = useQuery(bookableServicesQuery(businessId));
  const sameCan = isDoneBy(appointment, services.data?.services);
  const draft: Draft = sameCan ? wanted : { ...wanted, stylist: 'any' };
  const { id, customerId, version } = appointment;
  const found = useOffers({
    businessId,
    draft,
    services: services.data?.services ?? [],
    customerId,
    zone,
    moving: appointment,
  });
  const { act, running, error } = useMoving({ visit: appointment, zone, onDone: onClose });
  const [asked, setAsked] = useState<Offer | null>(null);
  const move = (offer: Offer) => {
    const employeeIds = employeesFor(appointment, offer);
    ask(appointment, employeeIds, (customerAgreed) =>
      act({ businessId, appointmentId: id, employeeIds, version, customerAgreed, ...startOf(offer) }),
    );
  };
  const choose = (offer: Offer) => (appointment.seriesId ? setAsked(offer) : move(offer));
  const isLockedNow = draft.guests.flat().some(({ locked }) => locked);
  const lockedTo = appointment.items.find(isLocked)?.wishedEmployeeName;
  const day = dayName(instantOf(draft.day, 720, zone), zone, new Date());
  const dayWords = day === 'Today' || day === 'Tomorrow' ? day.toLowerCase() : `on ${day}`;
  return (
    <>
      <FormDialog title="Another time" wide finds busy={running} onSubmit={() => undefined} onClose={onClose}>
        <ZoneNote zone={zone} />
        <Grid
          gap={{ base: '6', md: '8' }}
          alignItems="start"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' }}
        >
          <Stack gap="5" minWidth="0">
            <Stack gap="0.5">
              <Text fontWeight="600">{customerOf(appointment)}</Text>
              <Muted>{servicesOf(appointment)}</Muted>
              <Muted>
                Booked {inSentence(`${dayName(start, zone, new Date())}, ${timeOfDay(start, zone)}`)}{' '}
                {employeesOf(appointment) && `with ${employeesOf(appointment)}`}
              </Muted>
            </Stack>
            <Choice
              legend="Stylist"
              value={draft.stylist === 'only' || isLockedNow ? 'same' : 'any'}
              options={[
                ['any', ANYONE],
                ...(sameCan ? ([['same', `Only ${employeesOf(appointment) || 'the same'}`]] as const) : []),
              ]}
              onChange={(choice) =>
                setDraft(choice === 'same' ? { ...draft, stylist: 'only' } : unlocked(draft))
              }
            />
            {lockedTo && (
              <Note tone="info" icon={Lock}>
                {customerOf(appointment)} asked for {lockedTo} and no one else.
              </Note>
            )}
            <WhenPart draft={draft} today={today} onChange={setDraft} />
          </Stack>
          <Stack gap="3" minWidth="0" aria-live="polite">
            <H3>Free {dayWords}</H3>
            <Refusal>{error && offerRefused(error, 'The visit could not be moved.')}</Refusal>
            <Reading
              query={services}
              what="The services"
              skeleton={<RowsSkeleton rows={3} label="Looking for free times" />}
            >
              {() => <OffersPart found={found} day={dayWords} zone={zone} busy={running} onChoose={choose} />}
            </Reading>
          </Stack>
        </Grid>
      </FormDialog>
      {asked && (
        <MoveSeriesDialog
          businessId={businessId}
          visit={appointment}
          to={{
            startsAt: moment(asked.startsAt) ?? start,
            employeeIds: employeesFor(appointment, asked),
            extraMinutes: placeOf(appointment).extraMinutes,
          }}
          zone={zone}
          onOne={() => {
            setAsked(null);
            move(asked);
          }}
          onDone={onClose}
          onClose={() => setAsked(null)}
        />
      )}
      {question}
    </>
  );
}

/** Whether its employees do its services still; so until the services are read. */
const isDoneBy = ({ items }: Appointment, services: readonly Service[] | undefined): boolean =>
  items.every(({ serviceId, employeeId }) => {
    const service = services?.find(({ id }) => id === serviceId);
    return !service || service.employeeIds.includes(employeeId);
  });

/** For any employee, whomever the visit was booked for. */
const unlocked = (draft: Draft): Draft => ({
  ...draft,
  stylist: 'any',
  guests: draft.guests.map((wishes) => wishes.map((wish) => ({ ...wish, locked: false }))),
});

const startOf = ({ startsAt }: Offer) => (startsAt ? { startsAt } : {});
