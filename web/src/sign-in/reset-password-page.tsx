import { Stack } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { ApiError, fieldErrorsOf, serverMessageOf } from '../http/errors';
import { CardPage, PageLinks } from '../layout/card-page';
import { ButtonLink, TextLink } from '../layout/links';
import { paths } from '../paths';
import { door } from '../session/current';
import { useTokenOfAddress } from '../session/token-of-address';
import { Button } from '../ui/button';
import { PasswordField, TextField } from '../ui/field';
import { Note } from '../ui/states';
import { sessionToasts } from '../ui/toasts';
import { NewPasswordField, newPassword } from './new-password';

const choiceOf = (asksName: boolean) => {
  const name = asksName ? z.string().check(z.trim(), z.minLength(1, 'Enter your name.')) : z.string();
  return z.object({ name, password: newPassword, again: z.string() }).check(
    z.refine(({ password, again }) => password === again, {
      path: ['again'],
      error: 'The passwords differ.',
    }),
  );
};

export function Component() {
  const token = useTokenOfAddress('token');
  // The first administrator’s link asks for their name: the command that made it knew an address alone.
  const asksName = useTokenOfAddress('name') !== '';
  const [spent, setSpent] = useState(false);
  if (!token) {
    return (
      <DeadLink title="This link is not complete">
        Open the link from your e-mail again, or ask for a new one.
      </DeadLink>
    );
  }
  if (spent) {
    return (
      <DeadLink title="This link no longer works">
        It was used already, or its ten minutes are over. Ask for a new one; only the latest works.
      </DeadLink>
    );
  }
  return (
    <CardPage
      title={asksName ? 'Welcome to Frontdesk' : 'Choose a new password'}
      lead={
        asksName
          ? 'Say what you are called and choose a password. You will sign in with it right after.'
          : 'You will sign in with it right after.'
      }
    >
      <ResetForm token={token} asksName={asksName} onSpent={() => setSpent(true)} />
      <PageLinks>
        <TextLink to={paths.login}>Back to sign in</TextLink>
      </PageLinks>
    </CardPage>
  );
}

function DeadLink({ title, children }: { title: string; children: string }) {
  return (
    <CardPage title={title}>
      <Note tone="warn" icon={CircleAlert}>
        {children}
      </Note>
      <ButtonLink to={paths.forgotPassword} variant="contained">
        Ask for a new link
      </ButtonLink>
      <PageLinks>
        <TextLink to={paths.login}>Back to sign in</TextLink>
      </PageLinks>
    </CardPage>
  );
}

type ResetProps = { token: string; asksName: boolean; onSpent: () => void };

function ResetForm({ token, asksName, onSpent }: ResetProps) {
  const navigate = useNavigate();
  const [refused, setRefused] = useState('');
  const form = useForm({
    resolver: zodResolver(choiceOf(asksName)),
    defaultValues: { name: '', password: '', again: '' },
  });
  const { errors, isSubmitting } = form.formState;

  const reset = form.handleSubmit(async ({ name, password }) => {
    setRefused('');
    try {
      const message = await door.resetPassword(token, password, name);
      sessionToasts.show('good', message || 'Your password has been reset successfully');
      navigate(paths.login, { replace: true });
    } catch (error) {
      const { newPassword: about = '', name: aboutName = '' } = fieldErrorsOf(error);
      const message = serverMessageOf(error, 'Failed to reset your password');
      sessionToasts.show('bad', message);
      if (error instanceof ApiError && error.reason === 'TOKEN_SPENT') onSpent();
      else if (aboutName) form.setError('name', { message: aboutName }, { shouldFocus: true });
      else if (about) form.setError('password', { message: about }, { shouldFocus: true });
      else setRefused(message);
    }
  });

  return (
    <form onSubmit={reset} noValidate aria-label="Choose a new password">
      <Stack gap="5">
        {asksName && (
          <TextField
            label="Your name"
            autoComplete="name"
            maxLength={200}
            error={errors.name?.message}
            {...form.register('name')}
          />
        )}
        <NewPasswordField
          label="New password"
          typed={form.watch('password')}
          aboutPerson={[form.watch('name')]}
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
