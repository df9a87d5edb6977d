import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { Series } from '../gen/frontdesk/scheduling/v1/series_pb';
import { ApiError, messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { moment } from '../time/zoned';
import { Button } from '../ui/button';
import { TextArea, TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { AlsoBooked } from './also-booked';
import { ChosenVisit } from './chosen-visit';
import type { Item } from './draft';
import { HeldPart, StepHeading } from './held-part';
import { bookableServicesQuery } from './queries';
import { FEWEST_VISITS, MOST_VISITS, REPEATS, type RepeatKey, recurringOf } from './recurrence';
import { SeriesPart } from './series-part';
import type { Holding } from './use-hold';
import { usePatchTests } from './use-patch-tests';
import { offerRefused } from './why-refused';

export const LONGEST_NOTES = 2000;
const USUAL_VISITS = 6;

type VisitPartProps = {
  businessId: string;
  chosen: { offer: Offer; items: Item[] };
  hold: Holding;
  customerId: string;
  /** The call it is booked from, or empty. */
  callId: string;
  zone: string;
  onBack: (reason?: string) => void;
  onBooked: (appointment: Appointment, changeId: string) => void;
  onSeries: (series: Series, changeId: string) => void;
};

/** The last step: summary, recurrence, note and the button to book. */
export function VisitPart(props: VisitPartProps) {
  const { businessId, chosen, hold, customerId, callId, zone, onBack, onBooked, onSeries } = props;
  const { offer, items } = chosen;
  const [notes, setNotes] = useKeptText('booking');
  const [repeat, setRepeat] = useState<RepeatKey>('none');
  const [count, setCount] = useState(USUAL_VISITS);
  const [free, setFree] = useState(false);
  const { act, running, error } = useAction(AppointmentService.method.bookAppointment, {
    onDone: ({ appointment, changeId }) => appointment && onBooked(appointment, changeId),
    onRefused: (refusal) => {
      if (isGone(refusal)) onBack(offerRefused(refusal, 'This time is no longer free.'));
    },
  });
  const recurrence = recurringOf(repeat, count);
  const services = useQuery(bookableServicesQuery(businessId)).data?.services ?? [];
  const tests = usePatchTests(
    {
      businessId,
      customerId,
      serviceIds: items.map(({ serviceId }) => serviceId),
      services,
      start: moment(offer.startsAt) ?? undefined,
    },
    'Book without the test',
  );

  // A series is booked at once or not at all; the first date held by ourselves would seem taken.
  const changeRepeat = (key: RepeatKey) => {
    setRepeat(key);
    if (key === 'none') {
      setFree(false);
      hold.take(items, offer, customerId);
    } else if (repeat === 'none') void hold.drop().then(() => setFree(true));
  };

  return (
    <Stack gap="4">
      <Flex justify="space-between" align="center" gap="3">
        <StepHeading>Your choice</StepHeading>
        <Button variant="quiet" disabled={running} onClick={() => onBack()}>
          Other times
        </Button>
      </Flex>
      {hold.hold && <HeldPart hold={hold.hold} onAgain={() => hold.take(items, offer, customerId)} />}
      <Refusal>{hold.error && offerRefused(hold.error, 'This time could not be held.')}</Refusal>
      <ChosenVisit offer={offer} zone={zone} />
      {tests.note}
      <AlsoBooked businessId={businessId} customerId={customerId} offer={offer} zone={zone} />
      <TextArea
        label="Notes (optional)"
        maxLength={LONGEST_NOTES}
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
      <Grid gap="3" gridTemplateColumns={recurrence ? 'minmax(0, 1fr) 6rem' : 'minmax(0, 1fr)'}>
        <SelectField
          label="Repeat"
          value={repeat}
          disabled={running || hold.running}
          onChange={(event) => changeRepeat(event.currentTarget.value as RepeatKey)}
        >
          {REPEATS.map(({ key, text }) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </SelectField>
        {recurrence && (
          <TextField
            label="Visits"
            type="number"
            min={FEWEST_VISITS}
            max={MOST_VISITS}
            value={count}
            onChange={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber >= FEWEST_VISITS && valueAsNumber <= MOST_VISITS) setCount(valueAsNumber);
            }}
          />
        )}
      </Grid>
      {recurrence ? (
        free ? (
          <SeriesPart
            key={`${repeat} ${count}`}
            businessId={businessId}
            items={items}
            offer={offer}
            recurrence={recurrence}
            customerId={customerId}
            callId={callId}
            notes={notes}
            zone={zone}
            ready={tests.settled}
            onBooked={onSeries}
          />
        ) : (
          <RowsSkeleton rows={4} label="Looking at each date" />
        )
      ) : (
        <>
          <Refusal>{error && messageOf(error, 'The visit could not be booked.')}</Refusal>
          <Box textAlign="end">
            <Button
              variant="contained"
              loading={running}
              disabled={!hold.hold || !tests.settled}
              width={{ base: '100%', sm: 'auto' }}
              onClick={() => act({ businessId, holdId: hold.hold?.id ?? '', customerId, callId, notes })}
            >
              Book
            </Button>
          </Box>
        </>
      )}
    </Stack>
  );
}

/** The held time is no longer there to be booked. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && ['HOLD_GONE', 'SLOT_TAKEN'].includes(error.reason ?? '');
}
