import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { AccountService, type GetMeResponse } from '../gen/frontdesk/auth/v1/account_pb';
import { useKeptForm } from '../session/use-draft';
import { TextField } from '../ui/field';
import { ChangeForm, CurrentPasswordField, currentPassword } from './change-form';

const fields = (hasPassword: boolean) =>
  z.object({
    newEmail: z.string().check(z.trim(), z.regex(/^\S+@\S+$/, 'Enter your new e-mail address.')),
    currentPassword: currentPassword(hasPassword),
  });

type EmailFormProps = { me: GetMeResponse; onDone: (newEmail: string) => void; onClose: () => void };

/** Asks for the new address; an unconfirmed one is filled in, so that its mail can be sent again. */
export function EmailForm({ me, onDone, onClose }: EmailFormProps) {
  const form = useForm({
    resolver: zodResolver(fields(me.hasPassword)),
    defaultValues: { newEmail: me.newEmail, currentPassword: '' },
  });
  useKeptForm('e-mail', form);
  return (
    <ChangeForm
      form={form}
      label="Change e-mail"
      submit="Send link"
      keep={me.newEmail ? 'Close' : 'Cancel'}
      failed="Your e-mail could not be changed."
      refusable="newEmail"
      onSubmit={async (input) => {
        await call(AccountService.method.changeEmail, input);
        onDone(input.newEmail);
      }}
      onClose={onClose}
    >
      <TextField
        label="New e-mail"
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        hint="We send a link there. Nothing changes until you open it."
        error={form.formState.errors.newEmail?.message}
        {...form.register('newEmail')}
      />
      {me.hasPassword && <CurrentPasswordField form={form} label="Your password" />}
    </ChangeForm>
  );
}
