import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, messageOf } from '../http/errors';
import { CardPage, PageLinks } from '../layout/card-page';
import { ButtonLink, TextLink } from '../layout/links';
import { paths } from '../paths';
import type { Carried } from '../session/carried';
import { door, session } from '../session/current';
import type { Invitation } from '../session/door';
import { landingOf } from '../session/landing';
import { sameAddress } from '../session/person';
import { useSession } from '../session/use-session';
import { Button } from '../ui/button';
import { Bar, Loading } from '../ui/skeleton';
import { Note } from '../ui/states';
import { sessionToasts } from '../ui/toasts';
import { AcceptInvitation, ForAnotherAddress } from './accept-invitation';
import { Offer } from './offer';
import { pendingInvitation } from './pending';
import { type RegisterFields, RegisterForm } from './register-form';

const isSpent = (error: unknown) => error instanceof ApiError && error.reason === 'TOKEN_SPENT';

type InvitationPageProps = {
  invitation: string;
  /** Called to register without the invitation. */
  onSetAside: () => void;
};

/** What a mailed invitation offers, and the way to take it: a new account, or the one that is there. */
export function InvitationPage({ invitation, onSetAside }: InvitationPageProps) {
  const { user, loading, complete } = useSession();
  /** Keeps the form on the page although its own sign-in completes a moment later. */
  const [joining, setJoining] = useState(false);
  const [spent, setSpent] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['invitation', invitation],
    queryFn: () => door.invitation(invitation),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (spent || isSpent(error)) return <NoInvitation />;
  if (error && !data) {
    return (
      <CardPage title="Your invitation">
        <Note tone="bad" icon={CircleAlert}>
          {messageOf(error, 'The invitation can’t be shown.')}
        </Note>
        <Button variant="contained" loading={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </CardPage>
    );
  }
  if (!data || (loading && !complete && session.hadSession)) return <InvitationSkeleton />;
  const parts = { invitation, offer: data, onSpent: () => setSpent(true) };
  const aside = user ? null : <SetAside onSetAside={onSetAside} />;
  const mine = !user || sameAddress(user.email, data.email);
  // An account with an unconfirmed address starts over: another person may have registered it.
  if (joining || (mine && !data.hasAccount)) {
    return (
      <JoinForm
        {...parts}
        aside={aside}
        onBegin={() => setJoining(true)}
        onFailed={() => setJoining(false)}
      />
    );
  }
  if (!user) return <SignInFirst offer={data} aside={aside} />;
  return mine ? <AcceptInvitation {...parts} /> : <ForAnotherAddress offer={data} user={user} />;
}

/** A way past the invitation, for another user of the same computer. */
function SetAside({ onSetAside }: { onSetAside: () => void }) {
  return (
    <TextLink to={paths.register} onClick={onSetAside}>
      Use another account
    </TextLink>
  );
}

type JoinProps = {
  invitation: string;
  offer: Invitation;
  onSpent: () => void;
  aside: ReactNode;
  onBegin: () => void;
  onFailed: () => void;
};

function JoinForm({ invitation, offer, onSpent, aside, onBegin, onFailed }: JoinProps) {
  const navigate = useNavigate();

  const join = async ({ name, password }: RegisterFields) => {
    onBegin();
    try {
      await door.register({ name, email: offer.email, password, invitation });
    } catch (error) {
      onFailed();
      if (isSpent(error)) return onSpent();
      throw error;
    }
    pendingInvitation.drop();
    try {
      const user = await session.signIn(offer.email, password);
      sessionToasts.show('good', `Welcome to ${offer.businessName || 'Frontdesk'}.`);
      navigate(landingOf(user), { replace: true });
    } catch {
      // The account exists; the sign-in page then shows why signing in fails.
      navigate(paths.login, { replace: true });
    }
  };

  return (
    <CardPage title="Join the team" lead="Choose a name and a password, and you are in.">
      <Offer offer={offer} />
      <RegisterForm fixedEmail={offer.email} submit="Create account and join" onSubmit={join} />
      <PageLinks>{aside}</PageLinks>
    </CardPage>
  );
}

function SignInFirst({ offer, aside }: { offer: Invitation; aside: ReactNode }) {
  const carried: Carried = { email: offer.email, wanted: paths.register };
  return (
    <CardPage title="Join the team" lead="You have an account already. Sign in with it to accept.">
      <Offer offer={offer} />
      <ButtonLink to={paths.login} state={carried} variant="contained">
        Sign in to accept
      </ButtonLink>
      <PageLinks>
        <TextLink to={paths.forgotPassword} state={carried}>
          Forgot your password?
        </TextLink>
        {aside}
      </PageLinks>
    </CardPage>
  );
}

function NoInvitation() {
  // Nothing to come back to.
  useEffect(() => pendingInvitation.drop(), []);
  return (
    <CardPage title="This invitation no longer works">
      <Note tone="warn" icon={CircleAlert}>
        It was accepted or withdrawn, or its seven days are over. Ask the person who invited you for a new
        one.
      </Note>
      <ButtonLink to={paths.root} variant="outline">
        Go to Frontdesk
      </ButtonLink>
    </CardPage>
  );
}

function InvitationSkeleton() {
  return (
    <CardPage title="Your invitation">
      <Loading label="Loading your invitation">
        <Stack gap="5">
          <Bar height="4.75rem" />
          <Bar height="3rem" />
        </Stack>
      </Loading>
    </CardPage>
  );
}
