import { Flex, Grid, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { may } from '../api/access';
import { useAction } from '../api/action';
import { tellBooked } from '../booking/booked';
import { handsOf } from '../booking/offers';
import { CONTACT_HIDDEN, NUMBER_HIDDEN } from '../business/contact-policy';
import { WaitlistAccess } from '../gen/access';
import { type WaitingCustomer, WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { agoText } from '../time/ago';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { PhoneLink } from '../ui/phone-link';
import { Refusal } from '../ui/states';
import { H3, Muted, Text } from '../ui/text';
import { LeaveDialog } from './leave-dialog';
import { waitlistPages } from './queries';
import { suitsText, waiterOf, wantedText } from './wishes';

type WaitingRowProps = {
  businessId: string;
  waiting: WaitingCustomer;
  names: ReadonlyMap<string, string>;
  zone: string;
  role: string;
  now: Date;
};

/** A customer on the waitlist: since when, for what, and which time is free for them now. */
export function WaitingRow({ businessId, waiting, names, zone, role, now }: WaitingRowProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const { entry, offer } = waiting;
  const listKey = waitlistPages(businessId).queryKey;
  const { act, running, error } = useAction(WaitlistService.method.bookFromWaitlist, {
    onDone: ({ appointment, changeId }) => {
      void queries.invalidateQueries({ queryKey: listKey });
      if (!appointment) return;
      const open = () => void navigate(paths.appointment(businessId, appointment.id));
      tellBooked({ businessId, appointment, zone, changeId, waited: true, open });
    },
    // The time was taken meanwhile: there may be another.
    onRefused: () => void queries.invalidateQueries({ queryKey: listKey }),
  });
  if (!entry) return null;
  const name = waiterOf(entry);
  const [since, start] = [moment(entry.joinedAt), moment(offer?.startsAt)];
  return (
    <Stack gap="3" px={{ base: '4', sm: '6' }} py="4" borderTop="1px solid" borderColor="line">
      <Grid
        gap="4"
        alignItems="center"
        gridTemplateColumns={{
          base: '40px minmax(0, 1fr)',
          lg: '40px minmax(0, 3fr) minmax(0, 3fr) minmax(0, 5fr)',
        }}
      >
        <Avatar name={name} size="40px" />
        <Stack gap="0" minWidth="0">
          <H3 overflowWrap="anywhere">
            {entry.customerId ? (
              <TextLink to={paths.customer(businessId, entry.customerId)}>{name}</TextLink>
            ) : (
              name
            )}
          </H3>
          <Muted>
            {entry.contactHidden ? (
              <span title={CONTACT_HIDDEN}>{`${NUMBER_HIDDEN} · `}</span>
            ) : (
              entry.customerPhone && (
                <>
                  <PhoneLink phone={entry.customerPhone} />
                  {' · '}
                </>
              )
            )}
            {since && `added ${agoText(since < now ? since : now, now)}`}
          </Muted>
        </Stack>
        <Stack gap="0" minWidth="0" gridColumn={{ base: '2', lg: 'auto' }}>
          <Text fontWeight="500">{wantedText(entry, names)}</Text>
          <Muted>{suitsText(entry)}</Muted>
          {entry.note && <Muted>“{entry.note}”</Muted>}
        </Stack>
        <Flex
          gap="2"
          // The way on stands at the edge: on a phone the left one, and above where both have no room.
          direction={{ base: 'row-reverse', lg: 'row' }}
          wrap={{ base: 'wrap-reverse', lg: 'wrap' }}
          justify="flex-end"
          gridColumn={{ base: '2', lg: 'auto' }}
        >
          {may(WaitlistAccess.leaveWaitlist, role) && (
            <Button variant="quiet" disabled={running} onClick={() => setLeaving(true)}>
              Take off
              <Named name={name} />
            </Button>
          )}
          {offer?.startsAt && start ? (
            <Button
              loading={running}
              whiteSpace="normal"
              borderColor="brand.fg"
              color="brand.fg"
              onClick={() =>
                act({
                  businessId,
                  entryId: entry.id,
                  ...(offer.startsAt ? { startsAt: offer.startsAt } : {}),
                })
              }
            >
              Book {inSentence(dayName(start, zone, now))}, {timeOfDay(start, zone)} with {handsOf(offer)}
            </Button>
          ) : (
            <Muted alignSelf="center">Nothing suits yet</Muted>
          )}
        </Flex>
      </Grid>
      <Refusal>{error && messageOf(error, 'This could not be booked.')}</Refusal>
      {leaving && <LeaveDialog businessId={businessId} entry={entry} onClose={() => setLeaving(false)} />}
    </Stack>
  );
}

function Named({ name }: { name: string }) {
  return <Text as="span" srOnly>{` ${name}`}</Text>;
}
