import { Stack } from '@chakra-ui/react';
import { type FormEvent, useRef, useState } from 'react';
import { Navigate } from 'react-router';
import { serverMessageOf } from '../http/errors';
import { CardPage, PageLinks } from '../layout/card-page';
import { TextLink } from '../layout/links';
import { Waiting } from '../layout/waiting';
import { isOwnPath, paths } from '../paths';
import { type Carried, useCarried } from '../session/carried';
import { session } from '../session/current';
import { landingOf } from '../session/landing';
import { useSession } from '../session/use-session';
import { Button } from '../ui/button';
import { PasswordField, TextField } from '../ui/field';
import { Muted } from '../ui/text';
import { sessionToasts } from '../ui/toasts';
import { GoogleButton } from './google-button';

type Errors = { email?: string; password?: string };

function check(email: string, password: string): Errors {
  return {
    ...(/^\S+@\S+$/.test(email) ? {} : { email: 'Enter your e-mail address.' }),
    ...(password ? {} : { password: 'Enter your password.' }),
  };
}

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

/** Two fields: the form library would weigh more than all the rest of this page. */
function LoginForm({ email: typed, onEmail }: { email: string; onEmail: (email: string) => void }) {
  const [errors, setErrors] = useState<Errors>({});
  const [running, setRunning] = useState(false);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  const signIn = async () => {
    const [address, secret] = [email.current?.value.trim() ?? '', password.current?.value ?? ''];
    const wrong = check(address, secret);
    setErrors(wrong);
    if (wrong.email) return email.current?.focus();
    if (wrong.password) return password.current?.focus();
    setRunning(true);
    try {
      await session.signIn(address, secret);
    } catch (error) {
      setRunning(false);
      sessionToasts.show('bad', serverMessageOf(error, 'Login failed'));
      password.current?.select();
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!running) void signIn();
  };

  return (
    <form onSubmit={submit} noValidate aria-label="Sign in">
      <Stack gap="5">
        <TextField
          ref={email}
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={typed}
          error={errors.email}
          onChange={(event) => {
            onEmail(event.currentTarget.value);
            setErrors((before) => (before.email ? {} : before));
          }}
        />
        <PasswordField
          ref={password}
          label="Password"
          name="password"
          autoComplete="current-password"
          error={errors.password}
          onChange={() => setErrors((before) => (before.password ? {} : before))}
        />
        <Button type="submit" variant="contained" loading={running} width="100%">
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
