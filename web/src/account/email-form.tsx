import { Flex, Stack } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { CircleAlert } from 'lucide-react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { fieldErrorsOf, messageOf } from '../api/errors';
import { AccountService, type GetMeResponse } from '../gen/frontdesk/auth/v1/account_pb';
import { useKeptForm } from '../session/use-draft';
import { isWrongPassword } from '../session/wrong-password';
import { Button } from '../ui/button';
import { PasswordField, TextField } from '../ui/field';
import { Note } from '../ui/states';

const fields = (hasPassword: boolean) =>
  z.object({
    newEmail: z.string().check(z.trim(), z.regex(/^\S+@\S+$/, 'Enter your new e-mail address.')),
    currentPassword: z.string().check(z.minLength(hasPassword ? 1 : 0, 'Enter your password.')),
  });

type EmailFormProps = { me: GetMeResponse; onDone: (newEmail: string) => void; onClose: () => void };

/** Asks for the new address, and for the password as proof of who asks. */
export function EmailForm({ me, onDone, onClose }: EmailFormProps) {
  const form = useForm({
    resolver: zodResolver(fields(me.hasPassword)),
    defaultValues: { newEmail: '', currentPassword: '' },
  });
  useKeptForm('e-mail', form);
  const { errors, isSubmitting } = form.formState;

  const change = form.handleSubmit(async (input) => {
    try {
      await call(AccountService.method.changeEmail, input);
      onDone(input.newEmail);
    } catch (error) {
      const about = fieldErrorsOf(error);
      if (about.new_email) form.setError('newEmail', { message: about.new_email }, { shouldFocus: true });
      else if (isWrongPassword(error))
        form.setError('currentPassword', { message: 'That is not your password.' }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'Your e-mail could not be changed.') });
    }
  });

  return (
    <form onSubmit={change} noValidate aria-label="Change e-mail">
      <Stack gap="4" maxWidth="27rem">
        <TextField
          label="New e-mail"
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          hint="We send a link there. Nothing changes until you open it."
          error={errors.newEmail?.message}
          {...form.register('newEmail')}
        />
        {me.hasPassword && (
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            error={errors.currentPassword?.message}
            {...form.register('currentPassword')}
          />
        )}
        {errors.root?.message && (
          <Note tone="bad" icon={CircleAlert}>
            {errors.root.message}
          </Note>
        )}
        <Flex gap="3">
          <Button type="submit" variant="contained" loading={isSubmitting}>
            Send link
          </Button>
          <Button variant="quiet" minHeight="12" disabled={isSubmitting} onClick={onClose}>
            Keep the old one
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}
