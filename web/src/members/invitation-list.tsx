import { Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { MailPlus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { type Invitation, MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { roleName } from '../session/roles';
import { agoText } from '../time/ago';
import { moment } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { ConfirmDialog } from '../ui/dialog';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { useNow } from '../ui/use-now';
import { invitationPages } from './queries';

const ROW_HEIGHT = 77;

/** Open invitations. */
export function InvitationList({ businessId }: { businessId: string }) {
  const query = useInfiniteQuery(invitationPages(businessId));
  return (
    <Card title="Invitations" flush>
      <Reading
        query={query}
        what="The invitations"
        skeleton={<RowsSkeleton rows={2} label="Loading invitations" />}
      >
        {({ pages }) => {
          const invitations = pages.flatMap((page) => page.invitations);
          if (invitations.length === 0) {
            return (
              <Empty icon={MailPlus} title="No open invitations">
                Invitations are listed here until they are accepted.
              </Empty>
            );
          }
          return (
            <LongList
              label="Invitations"
              items={invitations}
              keyOf={({ id }) => id}
              rowHeight={ROW_HEIGHT}
              lined
            >
              {(invitation) => <InvitationRow businessId={businessId} invitation={invitation} />}
            </LongList>
          );
        }}
      </Reading>
      {query.hasNextPage && (
        <Flex justify="center" py="3" borderTop="1px solid" borderColor="line">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </Flex>
      )}
    </Card>
  );
}

type InvitationRowProps = { businessId: string; invitation: Invitation };

function InvitationRow({ businessId, invitation }: InvitationRowProps) {
  const now = useNow(60_000);
  const [withdrawing, setWithdrawing] = useState(false);
  const resend = useResend({ businessId, invitation });
  const [invitedAt, expiresAt] = [moment(invitation.invitedAt), moment(invitation.expiresAt)];
  const expired = expiresAt !== null && expiresAt <= now;
  const details = [
    invitedAt && `Invited ${agoText(invitedAt, now)}`,
    expiresAt && (expired ? 'the link has expired' : `the link expires ${agoText(expiresAt, now)}`),
  ];
  return (
    <Flex
      align="center"
      gap="4"
      rowGap="3"
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      px={{ base: '4', sm: '6' }}
      py="3.5"
    >
      <Stack gap="0.5" flex="1" minWidth={{ base: '100%', sm: '0' }}>
        <Flex gap="2" align="center" wrap="wrap">
          <Text fontWeight="600">{invitation.email}</Text>
          <Badge tone="quiet">{roleName(invitation.role)}</Badge>
          {expired && <Badge tone="warn">Expired</Badge>}
        </Flex>
        <Muted>{details.filter(Boolean).join(' · ')}</Muted>
      </Stack>
      <Flex gap="2" flexShrink="0">
        <Button
          loading={resend.running}
          onClick={resend.now}
          aria-label={`Send again to ${invitation.email}`}
        >
          Send again
        </Button>
        <Button
          variant="dangerOutline"
          onClick={() => setWithdrawing(true)}
          aria-label={`Withdraw the invitation of ${invitation.email}`}
        >
          Withdraw
        </Button>
      </Flex>
      {withdrawing && (
        <WithdrawDialog
          businessId={businessId}
          invitation={invitation}
          onClose={() => setWithdrawing(false)}
        />
      )}
    </Flex>
  );
}

/** A new invitation to the same address replaces the earlier one. */
function useResend({ businessId, invitation: { email, role, employeeId } }: InvitationRowProps) {
  const queries = useQueryClient();
  const { act, running } = useAction(MemberService.method.invite, {
    onDone: () => {
      void queries.invalidateQueries({ queryKey: invitationPages(businessId).queryKey });
      toasts.show('good', `Sent again to ${email}. The earlier link no longer works.`);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The invitation could not be sent.')),
  });
  // A guest is no employee, although earlier invitations may name one.
  const employee = role === 'GUEST' ? '' : employeeId;
  return { running, now: () => act({ businessId, email, role, employeeId: employee }) };
}

function WithdrawDialog({ businessId, invitation, onClose }: InvitationRowProps & { onClose: () => void }) {
  const queries = useQueryClient();
  const { act, running, error } = useAction(MemberService.method.withdrawInvitation, {
    onDone: () => {
      void queries.invalidateQueries({ queryKey: invitationPages(businessId).queryKey });
      toasts.show('good', 'Invitation withdrawn.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Withdraw this invitation?"
      confirm="Withdraw"
      keep="Keep it"
      refused={error && messageOf(error, 'The invitation could not be withdrawn.')}
      running={running}
      onConfirm={() => act({ businessId, invitationId: invitation.id })}
      onClose={onClose}
    >
      <Text>The link mailed to {invitation.email} stops working at once.</Text>
    </ConfirmDialog>
  );
}
