import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Box, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { may } from '../../api/access';
import { useAction } from '../../api/action';
import { rpcQuery } from '../../api/query';
import { tellBooked } from '../../booking/booked';
import { handsOf } from '../../booking/offers';
import { NUMBER_HIDDEN } from '../../business/contact-policy';
import type { Catalogue } from '../../day/visit-cards';
import { WaitlistAccess } from '../../gen/access';
import { AvailabilityService, type Offer } from '../../gen/frontdesk/scheduling/v1/availability_pb';
import { type WaitingCustomer, WaitlistService } from '../../gen/frontdesk/scheduling/v1/waitlist_pb';
import { messageOf } from '../../http/errors';
import { Reading } from '../../layout/reading';
import { paths } from '../../paths';
import { instantOf } from '../../time/local';
import { moment, timeOfDay } from '../../time/zoned';
import { Button } from '../../ui/button';
import { phoneText } from '../../ui/phone';
import { Bar, RowsSkeleton } from '../../ui/skeleton';
import { Empty, Refusal } from '../../ui/states';
import { H3, Muted, Text } from '../../ui/text';
import { waitlistPages } from '../../waitlist/queries';
import { suitsText, waiterOf, wantedText } from '../../waitlist/wishes';
import { offerHere, waitingOn } from './waiting-here';

const WHOLE_DAY = 1440;

type WaitlistPanelProps = {
  businessId: string;
  zone: string;
  role: string;
  day: string;
  catalogue: Catalogue;
};

/** Who waits for this day, each with the first time of it that suits them. */
export function WaitlistPanel(props: WaitlistPanelProps) {
  const { businessId, zone, day } = props;
  const waitlist = useInfiniteQuery(waitlistPages(businessId));
  const { hasNextPage, isFetching, isError, fetchNextPage } = waitlist;
  // Who waits for this day may be among those who came last.
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <Reading
      query={waitlist}
      what="The waitlist"
      skeleton={<RowsSkeleton rows={3} label="Loading waitlist" />}
    >
      {({ pages }) => {
        const waiting = waitingOn(
          pages.flatMap((page) => page.waiting),
          day,
          zone,
        );
        if (waiting.length === 0) {
          return (
            <Empty icon={Hourglass} title="No one is waiting for this day">
              Customers who wait for a time on this day appear here, with the times free for them.
            </Empty>
          );
        }
        return (
          <Box as="ul" listStyleType="none" aria-label="Waiting for this day">
            {waiting.map((one) => (
              <WaitingHere key={one.entry?.id} {...props} waiting={one} />
            ))}
          </Box>
        );
      }}
    </Reading>
  );
}

type WaitingHereProps = WaitlistPanelProps & { waiting: WaitingCustomer };

function WaitingHere({ businessId, zone, role, day, catalogue, waiting }: WaitingHereProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { entry } = waiting;
  const known = offerHere(waiting, day, zone);
  const from = instantOf(day, entry?.fromMinute ?? 0, zone);
  const to = instantOf(day, entry?.toMinute || WHOLE_DAY, zone);
  // Their first time may be on an earlier day than this one.
  const search = useQuery({
    ...rpcQuery(AvailabilityService.method.searchAvailability, {
      businessId,
      items: entry?.items ?? [],
      from: timestampFromDate(from),
      to: timestampFromDate(to),
      customerId: entry?.customerId ?? '',
      pageSize: 1,
    }),
    enabled: known === 'unknown' && entry !== undefined,
  });
  const readAgain = () => void queries.invalidateQueries({ queryKey: waitlistPages(businessId).queryKey });
  const { act, running, error } = useAction(WaitlistService.method.bookFromWaitlist, {
    onDone: ({ appointment, changeId }) => {
      readAgain();
      if (!appointment) return;
      const open = () => void navigate(paths.appointment(businessId, appointment.id));
      tellBooked({ businessId, appointment, zone, changeId, waited: true, open });
    },
    // The time was taken meanwhile: there may be another.
    onRefused: readAgain,
  });
  if (!entry) return null;
  const offer: Offer | undefined = known === 'unknown' ? search.data?.offers[0] : known;
  const start = moment(offer?.startsAt);
  const names = new Map([...catalogue].map(([id, { name }]) => [id, name]));
  const mayBook = may(WaitlistAccess.bookFromWaitlist, role);
  return (
    <Stack
      as="li"
      gap="2"
      py="3"
      borderTop="1px solid"
      borderColor="line"
      _first={{ borderTop: 'none', pt: '0' }}
    >
      <Box>
        <H3 overflowWrap="anywhere">{waiterOf(entry)}</H3>
        <Text fontSize="0.9375rem">{wantedText(entry, names)}</Text>
        <Muted>
          {[
            suitsText(entry),
            entry.contactHidden ? NUMBER_HIDDEN : entry.customerPhone && phoneText(entry.customerPhone),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Muted>
        {entry.note && <Muted>“{entry.note}”</Muted>}
      </Box>
      {offer?.startsAt && start ? (
        mayBook && (
          <Button
            whiteSpace="normal"
            loading={running}
            color="brand.fg"
            borderColor="brand.fg"
            aria-label={`Book ${waiterOf(entry)}, ${timeOfDay(start, zone)} with ${handsOf(offer)}`}
            onClick={() =>
              act({ businessId, entryId: entry.id, ...(offer.startsAt ? { startsAt: offer.startsAt } : {}) })
            }
          >
            Book {timeOfDay(start, zone)} with {handsOf(offer)}
          </Button>
        )
      ) : search.isLoading ? (
        <Bar width="60%" />
      ) : (
        <Muted>{search.error ? messageOf(search.error) : 'Nothing on this day suits.'}</Muted>
      )}
      <Refusal>{error && messageOf(error, 'This could not be booked.')}</Refusal>
    </Stack>
  );
}
