import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Mail, TriangleAlert } from 'lucide-react';
import { useAction } from '../api/action';
import { AccountService, type GetMeResponse } from '../gen/frontdesk/auth/v1/account_pb';
import { messageOf } from '../http/errors';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Note } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { useOpening } from './change-form';
import { EmailForm } from './email-form';
import { eventPages, meQuery } from './queries';

/** The address, whether it is confirmed, and a new one that is not confirmed yet. */
export function EmailPart({ me }: { me: GetMeResponse }) {
  const queries = useQueryClient();
  const form = useOpening();
  const done = (newEmail: string) => {
    form.close();
    toasts.show('info', `We have sent a link to ${newEmail}.`);
    void queries.invalidateQueries({ queryKey: meQuery().queryKey });
  };
  return (
    <Stack gap="4">
      <Flex gap="4" align="center" justify="space-between" wrap="wrap">
        <Stack gap="1" minWidth="0">
          <Text fontSize="0.9375rem" fontWeight="550">
            E-mail
          </Text>
          <Flex gap="3" align="center" wrap="wrap">
            <chakra.span overflowWrap="anywhere">{me.email}</chakra.span>
            {me.emailVerified ? (
              <Badge tone="good">
                <CircleCheck size={14} aria-hidden />
                Verified
              </Badge>
            ) : (
              <Badge tone="warn">
                <TriangleAlert size={14} aria-hidden />
                Not verified
              </Badge>
            )}
          </Flex>
        </Stack>
        {!form.open && (
          <Button ref={form.button} onClick={form.show}>
            Change e-mail
          </Button>
        )}
      </Flex>
      {!me.emailVerified && <Unproved />}
      {me.newEmail && !form.open && <Waiting me={me} onAgain={form.show} />}
      {form.open && <EmailForm me={me} onDone={done} onClose={form.close} />}
    </Stack>
  );
}

/** The pending change of address: its mail can be sent again, or it can be cancelled. */
function Waiting({ me, onAgain }: { me: GetMeResponse; onAgain: () => void }) {
  const queries = useQueryClient();
  const { act, running } = useAction(AccountService.method.cancelEmailChange, {
    onDone: () => {
      // Gone with the word that says so, not a read later.
      queries.setQueryData(meQuery().queryKey, { ...me, newEmail: '' });
      toasts.show('good', `You keep ${me.email}.`);
      void queries.invalidateQueries({ queryKey: meQuery().queryKey });
      void queries.invalidateQueries({ queryKey: eventPages().queryKey });
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The change could not be dropped.')),
  });
  return (
    <Note
      tone="info"
      icon={Mail}
      action={
        <Flex gap="3" wrap="wrap">
          <Button onClick={onAgain} aria-label={`Send again to ${me.newEmail}`}>
            Send again
          </Button>
          <Button loading={running} onClick={() => act({})}>
            Keep {me.email}
          </Button>
        </Flex>
      }
    >
      <Text>{me.newEmail} takes its place as soon as you open the link we sent there, signed in here.</Text>
    </Note>
  );
}

function Unproved() {
  const { act, running } = useAction(AccountService.method.resendVerification, {
    onDone: () => toasts.show('info', 'The link is on its way again.'),
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The link could not be sent.')),
  });
  return (
    <Note
      tone="info"
      icon={Mail}
      action={
        <Button loading={running} onClick={() => act({})}>
          Send it again
        </Button>
      }
    >
      Open the link we sent you to confirm that this address is yours.
    </Note>
  );
}
