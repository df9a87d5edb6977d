import { Stack } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { NewPasswordField, newPassword } from '../sign-in/new-password';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { Note } from '../ui/states';
import { sessionToasts } from '../ui/toasts';

const account = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter your name.'), z.maxLength(200, 'Use at most 200 characters.')),
  email: z.string().check(z.trim(), z.regex(/^\S+@\S+$/, 'Enter your e-mail address.')),
  password: newPassword,
});

export type RegisterFields = z.infer<typeof account>;

type RegisterFormProps = {
  /** The address of an invitation cannot be another. */
  fixedEmail?: string;
  /** Typed on the page before. */
  email?: string;
  onEmail?: (email: string) => void;
  submit: string;
  /** Rejects with what the door said. */
  onSubmit: (fields: RegisterFields) => Promise<void>;
};

/** Name, address and password of a new account. */
export function RegisterForm({
  fixedEmail,
  email: typed = '',
  onEmail,
  submit,
  onSubmit,
}: RegisterFormProps) {
  const [refused, setRefused] = useState('');
  const form = useForm({
    resolver: zodResolver(account),
    defaultValues: { name: '', email: fixedEmail ?? typed, password: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const [name, email, password] = form.watch(['name', 'email', 'password']);

  const register = form.handleSubmit(async (fields) => {
    setRefused('');
    try {
      await onSubmit(fields);
    } catch (error) {
      const about = fieldErrorsOf(error);
      const shown = (['name', 'email', 'password'] as const).filter((field) => about[field]);
      for (const field of shown) form.setError(field, { message: about[field] ?? '' }, { shouldFocus: true });
      if (shown.length > 0) return;
      const message = messageOf(error, 'The account could not be created.');
      setRefused(message);
      sessionToasts.show('bad', message);
    }
  });

  return (
    <form onSubmit={register} noValidate aria-label={submit}>
      <Stack gap="5">
        <TextField
          label="Your name"
          autoComplete="name"
          maxLength={200}
          error={errors.name?.message}
          {...form.register('name')}
        />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={fixedEmail !== undefined}
          hint={fixedEmail === undefined ? undefined : 'Your invitation is for this address.'}
          error={errors.email?.message}
          {...form.register('email', { onChange: (event) => onEmail?.(event.target.value) })}
        />
        <NewPasswordField
          label="Password"
          typed={password}
          aboutPerson={[name, email]}
          error={errors.password?.message}
          {...form.register('password')}
        />
        {refused && (
          <Note tone="bad" icon={CircleAlert}>
            {refused}
          </Note>
        )}
        <Button type="submit" variant="contained" loading={isSubmitting} width="100%">
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
