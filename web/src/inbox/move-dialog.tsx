import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarX2 } from 'lucide-react';
import { useAction } from '../api/action';
import { rpcQuery } from '../api/query';
import { conflictsQuery } from '../appointments/queries';
import type { Item } from '../booking/draft';
import { handsOf, pinned } from '../booking/offers';
import { readVisitsAgain } from '../business/read-visits-again';
import { customerOf } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AvailabilityService, type Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { dayAfter, instantOf } from '../time/local';
import { dayKey, dayName, moment, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty, Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';

const MOST_OFFERS = 12;
const DAYS = 14;

type MoveDialogProps = { businessId: string; appointment: Appointment; zone: string; onClose: () => void };

/** Where else a visit could go: first by whom it is booked with, on its own day and those after. */
export function MoveDialog({ businessId, appointment, zone, onClose }: MoveDialogProps) {
  const queries = useQueryClient();
  const items: Item[] = appointment.items.map(({ serviceId, employeeId, guest, extraMinutes }) => ({
    serviceId,
    employeeId: '',
    preferredEmployeeId: employeeId,
    guest,
    extraMinutes,
  }));
  const day = dayKey(moment(appointment.startsAt) ?? new Date(), zone);
  const offers = useQuery(
    rpcQuery(AvailabilityService.method.searchAvailability, {
      businessId,
      items,
      from: timestampFromDate(instantOf(day, 0, zone)),
      to: timestampFromDate(instantOf(dayAfter(day, DAYS), 0, zone)),
      pageSize: MOST_OFFERS,
      customerId: appointment.customerId,
      // Its own time is free to itself.
      hypothesis: { withoutVisitIds: [appointment.id] },
    }),
  );
  const { act, running, error } = useAction(AppointmentService.method.moveAppointment, {
    onDone: ({ appointment: moved }) => {
      readVisitsAgain();
      void queries.invalidateQueries({ queryKey: conflictsQuery(businessId).queryKey });
      const start = moment(moved?.startsAt);
      const when = start ? `${dayName(start, zone, new Date())}, ${timeOfDay(start, zone)}` : 'another time';
      toasts.show('good', `${customerOf(appointment)} moves to ${when}.`);
      onClose();
    },
    onRefused: () => void offers.refetch(),
  });
  const move = (offer: Offer) =>
    act({
      businessId,
      appointmentId: appointment.id,
      employeeIds: pinned(items, offer).map(({ employeeId }) => employeeId),
      version: appointment.version,
      ...(offer.startsAt ? { startsAt: offer.startsAt } : {}),
    });
  return (
    <FormDialog title="Another time" busy={running} onSubmit={() => undefined} onClose={onClose}>
      <Text>The visit of {customerOf(appointment)} keeps its services and its price.</Text>
      <Reading
        query={offers}
        what="Free times"
        skeleton={<RowsSkeleton rows={4} label="Looking for free times" />}
      >
        {(answer) =>
          answer.offers.length === 0 ? (
            <Empty icon={CalendarX2} title="Nothing is free">
              Not within two weeks of the visit.
            </Empty>
          ) : (
            <Stack as="ul" gap="2" listStyleType="none" aria-label="Free times">
              {answer.offers.map((offer) => (
                <li key={String(offer.startsAt?.seconds)}>
                  <OfferChoice offer={offer} zone={zone} busy={running} onChoose={() => move(offer)} />
                </li>
              ))}
            </Stack>
          )
        }
      </Reading>
      <Refusal>{error && messageOf(error, 'The visit could not be moved.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

type OfferChoiceProps = { offer: Offer; zone: string; busy: boolean; onChoose: () => void };

function OfferChoice({ offer, zone, busy, onChoose }: OfferChoiceProps) {
  const from = moment(offer.startsAt);
  if (!from) return null;
  return (
    <Button
      width="100%"
      minHeight="12"
      justifyContent="flex-start"
      whiteSpace="normal"
      textAlign="start"
      disabled={busy}
      onClick={onChoose}
    >
      {dayName(from, zone, new Date())}, {timeOfDay(from, zone)} with {handsOf(offer)}
    </Button>
  );
}
