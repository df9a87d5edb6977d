import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { rpcQuery } from '../api/query';
import { Reason } from '../gen/frontdesk/error/v1/reason_pb';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { type PlannedOccurrence, type Series, SeriesService } from '../gen/frontdesk/scheduling/v1/series_pb';
import { ApiError, messageOf, SENTENCES } from '../http/errors';
import { Reading } from '../layout/reading';
import { dateText, moment, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { SelectField } from '../ui/select-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import type { Item } from './draft';
import { type Fate, fateOf, fatesOf, type Recurring } from './recurrence';

type SeriesPartProps = {
  businessId: string;
  items: Item[];
  offer: Offer;
  recurrence: Recurring;
  customerId: string;
  /** The call they are booked from, or empty. */
  callId: string;
  notes: string;
  zone: string;
  /** Nothing else has to be confirmed first. */
  ready: boolean;
  onBooked: (series: Series, changeId: string) => void;
};

/** Each date of a series: free, or taken and what is nearest; booked together or not at all. */
export function SeriesPart(props: SeriesPartProps) {
  const { businessId, items, offer, recurrence, customerId, callId, notes, zone, ready, onBooked } = props;
  const [chosen, setChosen] = useState<ReadonlyMap<number, Fate>>(new Map());
  const visit = {
    businessId,
    items,
    recurrence,
    customerId,
    ...(offer.startsAt ? { startsAt: offer.startsAt } : {}),
  };
  const plan = useQuery(rpcQuery(SeriesService.method.planSeries, visit));
  const { act, running, error } = useAction(SeriesService.method.bookSeries, {
    onDone: ({ series, changeId }) => series && onBooked(series, changeId),
    onRefused: () => void plan.refetch(),
  });
  return (
    <Stack gap="3">
      <Reading
        query={plan}
        what="The dates"
        skeleton={<RowsSkeleton rows={4} label="Looking at each date" />}
      >
        {({ occurrences }) => {
          const booked = occurrences.filter((planned) => fateOf(planned, chosen) !== 'out');
          return (
            <>
              <Muted role="status">{summaryOf(occurrences)}</Muted>
              <Box
                as="ul"
                aria-label="Dates"
                listStyleType="none"
                border="1px solid"
                borderColor="line"
                borderRadius="button"
                maxHeight="24rem"
                overflowY="auto"
                tabIndex={0}
              >
                {occurrences.map((planned) => (
                  <Occurrence
                    key={planned.number}
                    planned={planned}
                    fate={fateOf(planned, chosen)}
                    zone={zone}
                    onFate={(fate) => setChosen(new Map(chosen).set(planned.number, fate))}
                  />
                ))}
              </Box>
              <Refusal>{error && refusalText(error, occurrences, zone)}</Refusal>
              <Flex justify="flex-end">
                <Button
                  variant="contained"
                  loading={running}
                  disabled={!ready || booked.length === 0}
                  width={{ base: '100%', sm: 'auto' }}
                  onClick={() => act({ ...visit, callId, notes, changes: changesOf(occurrences, chosen) })}
                >
                  {booked.length === 1 ? 'Book 1 visit' : `Book ${booked.length} visits`}
                </Button>
              </Flex>
            </>
          );
        }}
      </Reading>
    </Stack>
  );
}

function changesOf(occurrences: PlannedOccurrence[], chosen: ReadonlyMap<number, Fate>) {
  return occurrences.flatMap((planned) => {
    const fate = fateOf(planned, chosen);
    if (fate === 'planned') return [];
    const startsAt = fate === 'nearest' ? planned.nearest?.startsAt : undefined;
    return [{ number: planned.number, ...(startsAt ? { startsAt } : {}) }];
  });
}

function summaryOf(occurrences: PlannedOccurrence[]): string {
  const taken = occurrences.filter(({ offer }) => !offer).length;
  if (taken === 0) return `All ${occurrences.length} dates are free. They are booked together, or none is.`;
  return `${occurrences.length - taken} of ${occurrences.length} dates are free. Decide about the others; all are booked together, or none is.`;
}

function refusalText(error: Error, occurrences: PlannedOccurrence[], zone: string): string {
  const message = messageOf(error, 'The visits could not be booked.');
  const number =
    error instanceof ApiError && error.failure.kind === 'refused' ? error.failure.metadata.occurrence : '';
  const at = moment(occurrences.find((planned) => String(planned.number) === number)?.startsAt);
  return at ? `${dateText(at, zone)}: ${message} Nothing was booked.` : `${message} Nothing was booked.`;
}

type OccurrenceProps = {
  planned: PlannedOccurrence;
  fate: Fate;
  zone: string;
  onFate: (fate: Fate) => void;
};

function Occurrence({ planned, fate, zone, onFate }: OccurrenceProps) {
  const at = moment(planned.startsAt);
  const date = at ? dateText(at, zone) : planned.date;
  const free = planned.offer !== undefined;
  return (
    <Flex
      as="li"
      gap="3"
      px="3.5"
      py="2"
      align="center"
      wrap="wrap"
      borderTop={planned.number > 1 ? '1px solid' : undefined}
      borderColor="line"
    >
      <Box color={free ? 'good.fg' : 'warn.fg'} flexShrink="0">
        {free ? <CircleCheck size={18} aria-hidden /> : <TriangleAlert size={18} aria-hidden />}
      </Box>
      <Stack gap="0" flex="1 1 9rem" minWidth="0">
        <Text fontWeight="550" fontSize="0.9375rem">
          {date}
          {at && `, ${timeOfDay(at, zone)}`}
        </Text>
        <Muted fontSize="0.875rem">{free ? 'Free' : takenText(planned)}</Muted>
      </Stack>
      <Box flex={{ base: '1 1 13rem', sm: '0 1 13rem' }}>
        <SelectField
          label={`On ${date}`}
          silent
          value={fate}
          onChange={(event) => onFate(event.currentTarget.value as Fate)}
        >
          {fatesOf(planned).map((possible) => (
            <option key={possible} value={possible}>
              {fateText(possible, planned, zone)}
            </option>
          ))}
        </SelectField>
      </Box>
    </Flex>
  );
}

function takenText({ reason, startsAt, nearest }: PlannedOccurrence): string {
  const why = startsAt
    ? (SENTENCES[Reason[reason] ?? ''] ?? 'Not free.')
    : 'The clocks skip this time on that day.';
  return nearest ? why : `${why} Nothing else is free that day.`;
}

function fateText(fate: Fate, { nearest }: PlannedOccurrence, zone: string): string {
  const near = moment(nearest?.startsAt);
  if (fate === 'nearest' && near) return `At ${timeOfDay(near, zone)} instead`;
  return fate === 'planned' ? 'Book it' : 'Leave it out';
}
