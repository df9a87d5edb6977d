import { Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { LeaveGuard } from '../layout/leave-guard';
import { InvitationList } from '../members/invitation-list';
import { invitationPages, memberPages } from '../members/queries';
import { useKeptText } from '../session/use-draft';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import type { StepProps } from './step-props';
import { WayOn } from './way-on';

/** Who runs the salon: invited by mail, with the right to everything in it. */
export function OwnerStep({ businessId, onDone }: StepProps) {
  const queries = useQueryClient();
  const members = useInfiniteQuery(memberPages(businessId)).data?.pages.flatMap((page) => page.members) ?? [];
  const owners = members.filter(({ role }) => role === 'OWNER');
  const invited = useInfiniteQuery(invitationPages(businessId)).data?.pages.some(
    ({ invitations }) => invitations.length > 0,
  );
  const [email, setEmail] = useKeptText(`owner of ${businessId}`, '', { overReload: true });
  const [checked, setChecked] = useState(false);
  const { act, running, error } = useAction(MemberService.method.invite, {
    onDone: (_, input) => {
      void queries.invalidateQueries({ queryKey: invitationPages(businessId).queryKey });
      toasts.show('good', `Invitation sent to ${input.email ?? 'the owner'}.`);
      setEmail('');
      setChecked(false);
    },
  });
  const sound = /^\S+@\S+$/.test(email.trim());
  const said = fieldErrorsOf(error).email;
  return (
    <Stack gap="5">
      <Text>
        {owners.length > 0
          ? `${owners.map(({ name }) => name).join(', ')} ${owners.length === 1 ? 'owns' : 'own'} this salon.`
          : 'An owner can change everything in the salon and invite its people. We mail them a link that works for seven days.'}
      </Text>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (sound) act({ businessId, email: email.trim(), role: 'OWNER' });
        }}
      >
        <Stack gap="3">
          <TextField
            label="E-mail of the owner"
            type="email"
            inputMode="email"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={checked && !sound ? 'Enter an e-mail address.' : said}
          />
          <Refusal>{error && !said ? messageOf(error, 'The invitation could not be sent.') : null}</Refusal>
          <Flex>
            <Button
              type="submit"
              variant={invited || owners.length > 0 ? 'outline' : 'contained'}
              loading={running}
              minHeight="12"
            >
              Send invitation
            </Button>
          </Flex>
        </Stack>
      </form>
      {email.trim() !== '' && !running && <LeaveGuard />}
      {/* While it is not known whether anyone is invited, the list says why. */}
      {invited !== false && <InvitationList businessId={businessId} />}
      <WayOn done={owners.length > 0 || invited} onDone={onDone} />
    </Stack>
  );
}
