import { Stack } from '@chakra-ui/react';
import { type FormEvent, useRef, useState } from 'react';
import { serverMessageOf } from '../http/errors';
import { session } from '../session/current';
import { Button } from '../ui/button';
import { PasswordField } from '../ui/field';
import { sessionToasts } from '../ui/toasts';
import { EmailField, problemOf } from './email-field';

type Errors = { email?: string; password?: string };

function check(email: string, password: string): Errors {
  const wrong = problemOf(email);
  return {
    ...(wrong ? { email: wrong } : {}),
    ...(password ? {} : { password: 'Enter your password.' }),
  };
}

/** Two fields: the form library would weigh more than all the rest of this page. */
export function LoginForm({ email: typed, onEmail }: { email: string; onEmail: (email: string) => void }) {
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
        <EmailField
          ref={email}
          typed={typed}
          error={errors.email}
          onChange={(value) => {
            onEmail(value);
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
