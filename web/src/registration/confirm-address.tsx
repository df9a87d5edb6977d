import { Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../api/call';
import { methodKey } from '../api/query';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { ApiError, messageOf } from '../http/errors';
import { CardPage, PageLinks } from '../layout/card-page';
import { ButtonLink, TextLink } from '../layout/links';
import { Waiting } from '../layout/waiting';
import { paths } from '../paths';
import type { Carried } from '../session/carried';
import { session } from '../session/current';
import { landingOf } from '../session/landing';
import { signOut } from '../session/sign-out';
import { useSession } from '../session/use-session';
import type { User } from '../session/user';
import { Button } from '../ui/button';
import { Bar, Loading } from '../ui/skeleton';
import { Note } from '../ui/states';
import { Muted } from '../ui/text';
import { pendingConfirmation } from './pending';

/** Proves an address with the token that was mailed to it, for who is signed in to its account. */
export function ConfirmAddress({ token }: { token: string }) {
  const { user, loading, complete } = useSession();
  if (user) return <Confirming token={token} user={user} />;
  if (loading && !complete && session.hadSession) return <Waiting label="Authenticating" />;
  return <SignInFirst />;
}

const forget = () => pendingConfirmation.drop();

/** Names no account: only the link and the sign-in know it. */
function SignInFirst() {
  const carried: Carried = { email: '', wanted: paths.register };
  return (
    <CardPage
      title="Sign in to confirm your address"
      lead="Use the password you registered with. The link goes on working meanwhile."
    >
      <ButtonLink to={paths.login} state={carried} variant="contained">
        Sign in
      </ButtonLink>
      <Stack gap="3">
        <Muted>
          It wasn’t you, or that is not your password? Then have a link mailed to you that makes the account
          yours, and signs everyone else out of it.
        </Muted>
        <PageLinks>
          <TextLink to={paths.forgotPassword} onClick={forget}>
            Set a password of your own
          </TextLink>
          <TextLink to={paths.login} onClick={forget}>
            Not now
          </TextLink>
        </PageLinks>
      </Stack>
    </CardPage>
  );
}

const isRefusedAs = (error: unknown, reason: string) => error instanceof ApiError && error.reason === reason;

/** The token works once, so it is sent once. */
function Confirming({ token, user }: { token: string; user: User }) {
  const queries = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['confirm-address', token],
    queryFn: () => call(AccountService.method.verifyEmail, { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const proved = data !== undefined;
  const spent = isRefusedAs(error, 'TOKEN_SPENT');
  useEffect(() => {
    if (proved || spent) forget();
  }, [proved, spent]);
  useEffect(() => {
    if (!proved) return;
    void queries.invalidateQueries({ queryKey: [methodKey(AccountService.method.getMe)] });
    // A changed address is in the next token.
    session.renew().catch(() => undefined);
  }, [proved, queries]);

  if (proved) return <Confirmed />;
  if (!error) {
    return (
      <CardPage title="Confirming your address">
        <Loading label="Confirming your address">
          <Bar height="3rem" />
        </Loading>
      </CardPage>
    );
  }
  if (spent) return <NotConfirmed />;
  if (isRefusedAs(error, 'WRONG_ACCOUNT')) return <ForAnotherAccount user={user} />;
  return (
    <CardPage title="Your address is not confirmed yet">
      <Note tone="bad" icon={CircleAlert}>
        {messageOf(error, 'The address could not be confirmed.')}
      </Note>
      <Button variant="contained" loading={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </CardPage>
  );
}

function Confirmed() {
  return (
    <CardPage title="Your address is confirmed">
      <Note tone="good" icon={CircleCheck}>
        Thank you. This e-mail address is yours.
      </Note>
      <ToAccount />
    </CardPage>
  );
}

function NotConfirmed() {
  return (
    <CardPage title="This link no longer works">
      <Note tone="warn" icon={CircleAlert}>
        It was used already, or it is older than a day. On your account page you can ask for a new one.
      </Note>
      <ToAccount />
    </CardPage>
  );
}

function ToAccount() {
  return (
    <ButtonLink to={paths.myAccount} variant="contained">
      Go to your account
    </ButtonLink>
  );
}

/** Another account is signed in, as on a shared computer. */
function ForAnotherAccount({ user }: { user: User }) {
  const [running, setRunning] = useState(false);

  const leave = async () => {
    setRunning(true);
    // The page then asks the right person to sign in.
    await signOut();
  };

  return (
    <CardPage title="This link is for another account">
      <Note tone="warn" icon={CircleAlert}>
        You are signed in as {user.email}, and this link belongs to another account. Sign out, and in to that
        one, to confirm its address.
      </Note>
      <Stack gap="3">
        <Button variant="contained" loading={running} onClick={() => void leave()}>
          Sign out and go on
        </Button>
        <ButtonLink to={landingOf(user)} onClick={forget}>
          Stay signed in as {user.name}
        </ButtonLink>
      </Stack>
    </CardPage>
  );
}
