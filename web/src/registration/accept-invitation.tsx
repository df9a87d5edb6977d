import { Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../api/call';
import { methodKey } from '../api/query';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { ApiError, messageOf } from '../http/errors';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { session } from '../session/current';
import type { Invitation } from '../session/door';
import { landingOf } from '../session/landing';
import { signOut } from '../session/sign-out';
import type { User } from '../session/user';
import { Button } from '../ui/button';
import { Note, Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { Offer } from './offer';
import { pendingInvitation } from './pending';

type AcceptProps = { invitation: string; offer: Invitation; onSpent: () => void };

/** A signed-in user joins with their account. */
export function AcceptInvitation({ invitation, offer, onSpent }: AcceptProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [running, setRunning] = useState(false);
  const [refused, setRefused] = useState('');

  const accept = async () => {
    setRunning(true);
    setRefused('');
    try {
      const { businessId } = await call(AccountService.method.acceptInvitation, { invitation });
      pendingInvitation.drop();
      // The next token knows the new business.
      await session.renew().catch(() => undefined);
      await queries.invalidateQueries({ queryKey: [methodKey(AccountService.method.listMyMemberships)] });
      toasts.show('good', `Welcome to ${offer.businessName || 'the team'}.`);
      navigate(paths.business(businessId), { replace: true });
    } catch (error) {
      setRunning(false);
      if (error instanceof ApiError && error.reason === 'TOKEN_SPENT') return onSpent();
      setRefused(messageOf(error, 'The invitation could not be accepted.'));
    }
  };

  return (
    <CardPage title="Join the team" lead="One press, and the salon is among your businesses.">
      <Offer offer={offer} />
      <Refusal>{refused}</Refusal>
      <Button variant="contained" loading={running} onClick={() => void accept()}>
        Accept invitation
      </Button>
    </CardPage>
  );
}

/** The invitation is for another address than the one signed in. */
export function ForAnotherAddress({ offer, user }: { offer: Invitation; user: User }) {
  const [running, setRunning] = useState(false);

  const leave = async () => {
    setRunning(true);
    // The page then asks the invited person.
    await signOut();
    setRunning(false);
  };

  return (
    <CardPage title="This invitation is for another address">
      <Offer offer={offer} />
      <Note tone="warn" icon={CircleAlert}>
        You are signed in as {user.email}. Sign out to accept it as {offer.email}.
      </Note>
      <Stack gap="3">
        <Button variant="contained" loading={running} onClick={() => void leave()}>
          Sign out and go on
        </Button>
        <ButtonLink to={landingOf(user)} onClick={() => pendingInvitation.drop()}>
          Stay signed in as {user.name}
        </ButtonLink>
      </Stack>
    </CardPage>
  );
}
