import { Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { useBusinessRole } from '../business/queries';
import { customerQuery } from '../customers/queries';
import { FollowUpRow } from '../follow-ups/follow-up-row';
import { useCompleting } from '../follow-ups/use-completing';
import { FollowUpAccess } from '../gen/access';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { FollowUpState } from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import { Reading } from '../layout/reading';
import { dateAndTime, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { followUpsOfCall } from './queries';

const FollowUpDialog = fetchedAhead(() =>
  import('../follow-ups/follow-up-dialog').then(({ FollowUpDialog }) => FollowUpDialog),
);

const MINUTE_MS = 60_000;

type CallFollowUpsProps = { businessId: string; call: Call; zone: string };

/** What is to be done after a call, by whom and until when; and what was done. */
export function CallFollowUps({ businessId, call, zone }: CallFollowUpsProps) {
  const now = useNow(MINUTE_MS);
  const role = useBusinessRole(businessId);
  const open = useQuery(followUpsOfCall(businessId, call.id, FollowUpState.OPEN));
  const done = useQuery(followUpsOfCall(businessId, call.id, FollowUpState.DONE)).data?.followUps ?? [];
  const isCompleting = useCompleting();
  const [adding, setAdding] = useState(false);
  const customer = useQuery({
    ...customerQuery(businessId, call.customerId),
    enabled: adding && call.customerId !== '',
  });
  const mayAdd = role.kind === 'member' && may(FollowUpAccess.createFollowUp, role.role);
  const add = mayAdd && (
    <Button variant="quiet" onClick={() => setAdding(true)}>
      <ListPlus size={18} aria-hidden />
      New follow-up
    </Button>
  );
  // Who called is filled in: the dialog waits for it.
  const ready = adding && (call.customerId === '' || !customer.isPending);
  return (
    <Card title="Follow-ups" flush action={add || undefined}>
      <Reading
        query={open}
        what="The follow-ups"
        skeleton={<RowsSkeleton rows={1} label="Loading follow-ups" />}
      >
        {({ followUps }) => (
          <>
            {followUps
              .filter((followUp) => !isCompleting(followUp))
              .map((followUp) => (
                <FollowUpRow
                  key={followUp.id}
                  businessId={businessId}
                  followUp={followUp}
                  zone={zone}
                  now={now}
                  onCall
                />
              ))}
            {followUps.length === 0 && done.length === 0 && (
              <Muted px={{ base: '4', sm: '6' }} pb="5">
                No follow-ups from this call.
              </Muted>
            )}
          </>
        )}
      </Reading>
      {done.length > 0 && (
        <Box as="ul" aria-label="Done" listStyleType="none" px={{ base: '4', sm: '6' }} pb="4">
          {done.map(({ id, text, doneAt }) => {
            const at = moment(doneAt);
            return (
              <Flex as="li" key={id} direction="column" py="2" borderTop="1px solid" borderColor="line">
                <Text textDecoration="line-through">{text}</Text>
                <Muted fontSize="0.875rem">Done{at && `, ${dateAndTime(at, zone)}`}</Muted>
              </Flex>
            );
          })}
        </Box>
      )}
      {ready && (
        <FollowUpDialog
          businessId={businessId}
          zone={zone}
          about={{
            callId: call.id,
            customer: customer.data?.customer ?? null,
            phone: call.fromNumber,
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  );
}
