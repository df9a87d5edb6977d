import { zodResolver } from '@hookform/resolvers/zod';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { AccountService, type GetMeResponse } from '../gen/frontdesk/auth/v1/account_pb';
import { Reading } from '../layout/reading';
import { NewPasswordField, newPassword } from '../sign-in/new-password';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Bar, Loading } from '../ui/skeleton';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { ChangeForm, CurrentPasswordField, currentPassword, useOpening } from './change-form';
import { devicesQuery, eventPages, meQuery, sessionsQuery } from './queries';

/** Sets a password, or changes the one there is. */
export function PasswordSection({ query }: { query: UseQueryResult<GetMeResponse> }) {
  const form = useOpening();
  const me = query.data;
  const open = me && !form.open && (
    <Button ref={form.button} onClick={form.show}>
      {me.hasPassword ? 'Change password' : 'Set a password'}
    </Button>
  );
  return (
    <Card title="Password" action={open}>
      <Reading query={query} what="This part of the page" skeleton={<PasswordSkeleton />}>
        {(person) =>
          form.open ? (
            <PasswordForm me={person} onClose={form.close} />
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
  z.object({ currentPassword: currentPassword(hasPassword), newPassword });

function PasswordForm({ me, onClose }: { me: GetMeResponse; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({
    resolver: zodResolver(fields(me.hasPassword)),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  return (
    <ChangeForm
      form={form}
      label="Password"
      submit="Save password"
      keep="Cancel"
      failed="Your password could not be changed."
      refusable="newPassword"
      onSubmit={async (input) => {
        await call(AccountService.method.changePassword, input);
        toasts.show('good', 'Password saved. Every other browser is signed out.');
        for (const { queryKey } of [meQuery(), sessionsQuery(), devicesQuery(), eventPages()]) {
          void queries.invalidateQueries({ queryKey });
        }
        onClose();
      }}
      onClose={onClose}
    >
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={me.email} readOnly hidden />
      {me.hasPassword && <CurrentPasswordField form={form} label="Current password" />}
      <NewPasswordField
        label="New password"
        typed={form.watch('newPassword')}
        aboutPerson={[me.name, me.email]}
        error={form.formState.errors.newPassword?.message}
        {...form.register('newPassword')}
      />
    </ChangeForm>
  );
}
