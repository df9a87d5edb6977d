import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { ApiError, messageOf } from '../api/errors';
import { methodKey } from '../api/query';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { paths } from '../paths';
import { door, session } from '../session/current';
import { FrontPage } from '../session/front-page';
import { useSession } from '../session/use-session';
import { ButtonLink } from '../shell/links';
import { Button } from '../ui/button';
import { Bar, Loading } from '../ui/skeleton';
import { Note } from '../ui/states';

/** Proves an address with the token that was mailed to it. The token works once, so it is sent once. */
export function ConfirmAddress({ token }: { token: string }) {
  const queries = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['confirm-address', token],
    queryFn: () => door.verifyEmail(token),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const proved = data !== undefined;
  useEffect(() => {
    if (!proved) return;
    void queries.invalidateQueries({ queryKey: [methodKey(AccountService.method.getMe)] });
    // A changed address is in the next token.
    if (session.state.user) session.renew().catch(() => undefined);
  }, [proved, queries]);

  if (proved) return <Confirmed message={data} />;
  if (!error) {
    return (
      <FrontPage title="Confirming your address">
        <Loading label="Confirming your address">
          <Bar height="3rem" />
        </Loading>
      </FrontPage>
    );
  }
  if (error instanceof ApiError && error.reason === 'TOKEN_SPENT') return <NotConfirmed />;
  return (
    <FrontPage title="Your address is not confirmed yet">
      <Note tone="bad" icon={CircleAlert}>
        {messageOf(error, 'The address could not be confirmed.')}
      </Note>
      <Button variant="contained" loading={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </FrontPage>
  );
}

function Confirmed({ message }: { message: string }) {
  return (
    <FrontPage title="Your address is confirmed">
      <Note tone="good" icon={CircleCheck}>
        {message || 'Thank you. This e-mail address is yours.'}
      </Note>
      <Onwards />
    </FrontPage>
  );
}

function NotConfirmed() {
  return (
    <FrontPage title="This link no longer works">
      <Note tone="warn" icon={CircleAlert}>
        It was used already, or it is older than a day. On your account page you can ask for a new one.
      </Note>
      <Onwards />
    </FrontPage>
  );
}

function Onwards() {
  const { user } = useSession();
  return user ? (
    <ButtonLink to={paths.myAccount} variant="contained">
      Go to your account
    </ButtonLink>
  ) : (
    <ButtonLink to={paths.login} variant="contained" state={{ wanted: paths.myAccount }}>
      Sign in
    </ButtonLink>
  );
}
