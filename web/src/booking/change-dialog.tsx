import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { employeesQuery } from '../business/queries';
import { useConsent } from '../business/use-consent';
import { isMovable } from '../day/move-visit';
import { customerOf, employeesOf } from '../day/naming';
import { brokenBy } from '../day/wishes';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { Reading } from '../layout/reading';
import { SCOPES, type Scope } from '../series/scopes';
import { SeriesScopeDialog } from '../series/series-scope-dialog';
import { inSentence } from '../time/in-sentence';
import { instantOf } from '../time/local';
import { ZoneNote } from '../time/zone-note';
import { dayKey, dayName, localMinute, moment, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea } from '../ui/field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { H3, Muted, Text } from '../ui/text';
import {
  type ChangedItem,
  changedItems,
  changing,
  employeesAfter,
  isChanged,
  isPlacedAnew,
  toBePlaced,
  type WishChoice,
  wishOptions,
} from './change';
import type { Draft } from './draft';
import { startsAt } from './offers';
import { OffersPart } from './offers-part';
import { bookableServicesQuery } from './queries';
import { namesOf, ServicesPart } from './services-part';
import { useChanging } from './use-changing';
import { useOffers } from './use-offers';
import { usePatchTests } from './use-patch-tests';
import { LONGEST_NOTES } from './visit-part';
import { WhenPart } from './when-part';

type ChangeDialogProps = { businessId: string; appointment: Appointment; zone: string; onClose: () => void };

/** What is to be saved: all services, or notes alone; where, if the start is another. */
type Change = { items: ChangedItem[]; start: Date | undefined };

/** Changes the services, lengths, guests, wishes and notes of a visit; where they do not fit, says why and what does. */
export function ChangeDialog({ businessId, appointment, zone, onClose }: ChangeDialogProps) {
  const at = moment(appointment.startsAt) ?? new Date();
  const today = dayKey(new Date(), zone);
  const [change, setChange] = useState(() =>
    changing(appointment, dayKey(at, zone), localMinute(at, zone).minute),
  );
  const [wish, setWish] = useState<WishChoice>('kept');
  const [notes, setNotes] = useState(appointment.notes);
  const [asked, setAsked] = useState<Change | null>(null);
  const services = useQuery(bookableServicesQuery(businessId));
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const { ask, question } = useConsent((id) => employees.find((employee) => employee.id === id)?.name ?? '');
  const { draft } = change;
  const offered = services.data?.services ?? [];
  const found = useOffers({
    businessId,
    draft: toBePlaced(draft),
    services: offered,
    customerId: appointment.customerId,
    zone,
    without: appointment.id,
  });
  const { act, running, refused, error, reset } = useChanging({ appointment, zone, onDone: onClose });
  const movable = isMovable(appointment);
  const start = draft.start === null ? undefined : instantOf(draft.day, draft.start, zone);
  const elsewhere = start !== undefined && start.getTime() !== at.getTime();
  const named = changedItems(change, wish);
  const placing = movable && found.searchable && (elsewhere || isPlacedAnew(appointment, named));
  const describing = isChanged(appointment, named) || notes !== appointment.notes;
  const tests = usePatchTests(
    {
      businessId,
      customerId: appointment.customerId,
      serviceIds: added(appointment, named),
      services: offered,
      start: start ?? at,
    },
    'Add it without the test',
  );
  // An offer at the visit's own start needs no notice, and no search that begins now finds it once it has passed.
  const fitsHere = !elsewhere && found.answer?.offer !== undefined;
  // At the same time with the same employees nothing has to be free.
  const fits = placing ? found.asked !== undefined || fitsHere : describing && (!movable || found.searchable);
  const savable = fits && tests.settled;
  const edit = (changed: Draft) => {
    reset();
    setChange({ ...change, draft: changed });
  };

  const send = ({ items, start: to }: Change, scope: Scope, leaveTaken: boolean, customerAgreed: boolean) =>
    act({
      businessId,
      appointmentId: appointment.id,
      items: isChanged(appointment, items) || to ? items : [],
      ...(to ? { startsAt: timestampFromDate(to) } : {}),
      ...(notes === appointment.notes ? {} : { notes }),
      version: appointment.version,
      scope: SCOPES[scope],
      leaveTaken,
      customerAgreed,
    });
  const consented = (made: Change, visits: Appointment[], scope: Scope, leaveTaken: boolean) => {
    const after = (visit: Appointment) => employeesAfter(appointment, visit, made.items);
    const broken = visits.find((visit) => brokenBy(visit, after(visit)).length > 0) ?? appointment;
    ask(broken, after(broken), (agreed) => send(made, scope, leaveTaken, agreed));
  };
  const save = (offer: Offer | undefined) => {
    const to = moment(offer?.startsAt);
    const made: Change = {
      items: movable ? changedItems(change, wish, offer) : [],
      start: to && to.getTime() !== at.getTime() ? to : undefined,
    };
    // The visits of a series have starts of their own.
    if (appointment.seriesId && movable && !made.start) setAsked(made);
    else consented(made, [appointment], 'one', false);
  };
  const day = dayName(instantOf(draft.day, 720, zone), zone, new Date());
  const dayWords = day === 'Today' || day === 'Tomorrow' ? day.toLowerCase() : `on ${day}`;
  const whenText = inSentence(`${dayName(at, zone, new Date())}, ${timeOfDay(at, zone)}`);
  const people = namesOf(draft, employees);

  return (
    <>
      <FormDialog
        title={movable ? 'Change the visit' : 'Notes'}
        wide={movable}
        busy={running}
        chosen={placing || describing}
        onSubmit={() => savable && save(placing ? found.asked : undefined)}
        onClose={onClose}
      >
        <ZoneNote zone={zone} />
        <Grid
          gap={{ base: '6', md: '8' }}
          alignItems="start"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: movable ? 'minmax(0, 1fr) minmax(0, 1fr)' : '' }}
        >
          <Stack gap="5" minWidth="0">
            <Stack gap="0.5">
              <Text fontWeight="600">{customerOf(appointment)}</Text>
              <Muted>
                Booked {whenText} {employeesOf(appointment) && `with ${employeesOf(appointment)}`}
              </Muted>
            </Stack>
            {movable && (
              <Reading
                query={services}
                what="The services"
                skeleton={<RowsSkeleton rows={2} label="Loading services" />}
              >
                {() => (
                  <Stack gap="5">
                    <ServicesPart
                      placed
                      draft={draft}
                      services={offered}
                      employees={employees}
                      onChange={edit}
                    />
                    <Choice
                      legend="Stylist"
                      value={wish}
                      options={wishOptions(appointment, change, wish, people)}
                      onChange={setWish}
                    />
                  </Stack>
                )}
              </Reading>
            )}
            <TextArea
              label="Notes (optional)"
              maxLength={LONGEST_NOTES}
              value={notes}
              onChange={(event) => setNotes(event.currentTarget.value)}
            />
          </Stack>
          {movable && (
            <Stack gap="4" minWidth="0" aria-live="polite">
              <WhenPart draft={draft} today={today} onChange={edit} />
              {tests.note}
              {placing ? (
                <>
                  <H3>Free {dayWords}</H3>
                  <OffersPart
                    found={fitsHere ? { ...found, whyNot: '' } : found}
                    day={dayWords}
                    zone={zone}
                    busy={running || !tests.settled}
                    onChoose={(offer) => save(offer)}
                  />
                </>
              ) : (
                <Muted>
                  {found.searchable
                    ? `The time stays: ${whenText}.`
                    : 'Choose every service to see free times.'}
                </Muted>
              )}
            </Stack>
          )}
        </Grid>
        <Refusal>{asked ? '' : refused}</Refusal>
        <DialogActions>
          <Button onClick={onClose} disabled={running} minHeight="12">
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={running} disabled={!savable}>
            {saveText(placing ? found.asked : undefined, at, zone)}
          </Button>
        </DialogActions>
      </FormDialog>
      {asked && (
        <SeriesScopeDialog
          businessId={businessId}
          visit={appointment}
          zone={zone}
          shifts={false}
          running={running}
          error={error}
          failure="The visits could not be changed."
          onOne={() => consented(asked, [appointment], 'one', false)}
          onSeveral={(scope, visits, leaveTaken) => consented(asked, visits, scope, leaveTaken)}
          onClose={() => {
            reset();
            setAsked(null);
          }}
        />
      )}
      {question}
    </>
  );
}

/** Services that the visit does not have yet: about the others was asked when they were booked. */
function added({ items }: Appointment, changed: readonly ChangedItem[]): string[] {
  const present = new Set(items.map(({ serviceId }) => serviceId));
  return [...new Set(changed.map(({ serviceId }) => serviceId))].filter((id) => id && !present.has(id));
}

/** "Save", and where it goes if that is another time. */
function saveText(offer: Offer | undefined, at: Date, zone: string): string {
  const to = moment(offer?.startsAt);
  if (!offer || !to || startsAt(offer, at)) return 'Save';
  return `Save at ${inSentence(`${dayName(to, zone, new Date())}, ${timeOfDay(to, zone)}`)}`;
}
