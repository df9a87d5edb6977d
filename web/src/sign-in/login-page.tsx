import { Stack } from '@chakra-ui/react';
import { Navigate } from 'react-router';
import { CardPage, PageLinks } from '../layout/card-page';
import { TextLink } from '../layout/links';
import { Waiting } from '../layout/waiting';
import { isOwnPath, paths } from '../paths';
import { type Carried, useCarried } from '../session/carried';
import { session } from '../session/current';
import { landingOf } from '../session/landing';
import { useSession } from '../session/use-session';
import { Muted } from '../ui/text';
import { GoogleButton } from './google-button';
import { LoginForm } from './login-form';

export function Component() {
  const { user, loading, complete } = useSession();
  const { email, wanted, setEmail } = useCarried();
  if (user) return <Navigate to={landingOf(user, wanted)} replace />;
  // A returning user is probably still signed in: a form would only flash.
  if (loading && !complete && session.hadSession) return <Waiting label="Authenticating" />;
  const carried: Carried = { email, wanted };
  return (
    <CardPage title="Sign in" lead="Welcome back. Sign in to see your calls and appointments.">
      <LoginForm email={email} onEmail={setEmail} />
      <WithGoogle wanted={wanted} />
      <PageLinks>
        <TextLink to={paths.forgotPassword} state={carried}>
          Forgot your password?
        </TextLink>
        <TextLink to={paths.register} state={carried}>
          Create an account
        </TextLink>
      </PageLinks>
    </CardPage>
  );
}

/** Always there: where Google is not configured, pressing the button says so. */
function WithGoogle({ wanted }: { wanted: unknown }) {
  return (
    <Stack gap="4" textAlign="center">
      <Muted>or</Muted>
      <GoogleButton wanted={isOwnPath(wanted) ? wanted : null} />
    </Stack>
  );
}
