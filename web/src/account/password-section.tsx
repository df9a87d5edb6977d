import { Flex, Stack } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { fieldErrorsOf, messageOf } from '../api/errors';
import { AccountService, type GetMeResponse } from '../gen/frontdesk/auth/v1/account_pb';
import { isWrongPassword } from '../session/wrong-password';
import { Reading } from '../shell/reading';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { PasswordField } from '../ui/field';
import { Bar, Loading } from '../ui/skeleton';
import { Note } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { NewPasswordField, newPassword } from './new-password';
import { devicesQuery, eventPages, meQuery, sessionsQuery } from './queries';

/** Sets a password, or changes the one there is. */
export function PasswordSection({ query }: { query: UseQueryResult<GetMeResponse> }) {
  const [changing, setChanging] = useState(false);
  const me = query.data;
  const open = me && !changing && (
    <Button onClick={() => setChanging(true)}>{me.hasPassword ? 'Change password' : 'Set a password'}</Button>
  );
  return (
    <Card title="Password" action={open}>
      <Reading query={query} what="Your password" skeleton={<PasswordSkeleton />}>
        {(person) =>
          changing ? (
            <PasswordForm me={person} onClose={() => setChanging(false)} />
          ) : (
            <Muted>
              {person.hasPassword
                ? 'When you change it, every other browser is signed out.'
                : 'You sign in with Google. With a password you have a second way in.'}
            </Muted>
          )
        }
      </Reading>
    </Card>
  );
}

function PasswordSkeleton() {
  return (
    <Loading label="Loading your password">
      <Bar width="60%" />
    </Loading>
  );
}

const fields = (hasPassword: boolean) =>
  z.object({
    currentPassword: z.string().check(z.minLength(hasPassword ? 1 : 0, 'Enter your password of now.')),
    newPassword,
  });

function PasswordForm({ me, onClose }: { me: GetMeResponse; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({
    resolver: zodResolver(fields(me.hasPassword)),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;

  const save = form.handleSubmit(async (input) => {
    try {
      await call(AccountService.method.changePassword, input);
      toasts.show('good', 'Password saved. Every other browser is signed out.');
      for (const { queryKey } of [meQuery(), sessionsQuery(), devicesQuery(), eventPages()]) {
        void queries.invalidateQueries({ queryKey });
      }
      onClose();
    } catch (error) {
      const about = fieldErrorsOf(error);
      if (about.new_password)
        form.setError('newPassword', { message: about.new_password }, { shouldFocus: true });
      else if (isWrongPassword(error))
        form.setError('currentPassword', { message: 'That is not your password.' }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'Your password could not be changed.') });
    }
  });

  return (
    <form onSubmit={save} noValidate aria-label="Password">
      <Stack gap="4" maxWidth="27rem">
        {/* Tells a password manager whose password this is. */}
        <input type="email" autoComplete="username" value={me.email} readOnly hidden />
        {me.hasPassword && (
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            error={errors.currentPassword?.message}
            {...form.register('currentPassword')}
          />
        )}
        <NewPasswordField
          label="New password"
          typed={form.watch('newPassword')}
          aboutPerson={[me.name, me.email]}
          error={errors.newPassword?.message}
          {...form.register('newPassword')}
        />
        {errors.root?.message && (
          <Note tone="bad" icon={CircleAlert}>
            {errors.root.message}
          </Note>
        )}
        <Flex gap="3">
          <Button type="submit" variant="contained" loading={isSubmitting}>
            Save password
          </Button>
          <Button variant="quiet" minHeight="12" disabled={isSubmitting} onClick={onClose}>
            Leave it
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}
