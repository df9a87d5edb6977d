import { Stack } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { messageOf, violationOf } from '../api/errors';
import { paths } from '../paths';
import { ButtonLink } from '../shell/links';
import { Button } from '../ui/button';
import { PasswordField } from '../ui/field';
import { Note } from '../ui/states';
import { sessionToasts } from '../ui/toasts';
import { door } from './current';
import { FrontPage } from './front-page';

const LEAST_LENGTH = 8;
const newPassword = z
  .object({
    password: z.string().check(z.minLength(LEAST_LENGTH, `Use at least ${LEAST_LENGTH} characters.`)),
    again: z.string(),
  })
  .check(
    z.refine(({ password, again }) => password === again, {
      path: ['again'],
      error: 'The passwords differ.',
    }),
  );

/** The token of the address, taken once: it must not stay in address, history or a referrer. */
function useTokenOfAddress(): string {
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '');
  useEffect(() => {
    if (window.location.search) window.history.replaceState(window.history.state, '', paths.resetPassword);
  }, []);
  return token;
}

export function Component() {
  const token = useTokenOfAddress();
  if (!token) return <NoToken />;
  return (
    <FrontPage title="Choose a new password" lead="You will sign in with it right after.">
      <ResetForm token={token} />
    </FrontPage>
  );
}

function NoToken() {
  return (
    <FrontPage title="This link is not complete">
      <Stack gap="5">
        <Note tone="warn" icon={CircleAlert}>
          Open the link from your e-mail again, or ask the person who sent it for a new one.
        </Note>
        <ButtonLink to={paths.login} variant="outline">
          Go to sign in
        </ButtonLink>
      </Stack>
    </FrontPage>
  );
}

function ResetForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const [refused, setRefused] = useState('');
  const form = useForm({ resolver: zodResolver(newPassword), defaultValues: { password: '', again: '' } });
  const { errors, isSubmitting } = form.formState;

  const reset = form.handleSubmit(async ({ password }) => {
    setRefused('');
    try {
      const message = await door.resetPassword(token, password);
      sessionToasts.show('good', message || 'Your password has been reset successfully');
      navigate(paths.login, { replace: true });
    } catch (error) {
      const message = violationOf(error) || messageOf(error, 'Failed to reset your password');
      setRefused(message);
      sessionToasts.show('bad', message);
    }
  });

  return (
    <form onSubmit={reset} noValidate aria-label="Choose a new password">
      <Stack gap="5">
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint={`At least ${LEAST_LENGTH} characters. A few words in a row are easy to remember.`}
          error={errors.password?.message}
          {...form.register('password')}
        />
        <PasswordField
          label="New password again"
          autoComplete="new-password"
          error={errors.again?.message}
          {...form.register('again')}
        />
        {refused && (
          <Note tone="bad" icon={CircleAlert}>
            {refused}
          </Note>
        )}
        <Button type="submit" variant="contained" loading={isSubmitting} width="100%">
          Save password
        </Button>
      </Stack>
    </form>
  );
}
