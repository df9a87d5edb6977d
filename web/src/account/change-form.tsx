import { Flex, Stack } from '@chakra-ui/react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { isWrongPassword } from '../session/wrong-password';
import { Button } from '../ui/button';
import { PasswordField } from '../ui/field';
import { Refusal } from '../ui/states';

/** The current password; empty for an account without one. */
export type Proof = { currentPassword: string };

export const currentPassword = (hasPassword: boolean) =>
  z.string().check(z.minLength(hasPassword ? 1 : 0, 'Enter your password.'));

type ChangeFormProps<T extends FieldValues> = {
  form: UseFormReturn<T>;
  label: string;
  submit: string;
  /** The label of the button that cancels. */
  keep: string;
  /** The message when the server gives no reason. */
  failed: string;
  /** The field that the server may refuse. */
  refusable: Path<T>;
  /** Rejects with the server's error. */
  onSubmit: (input: T) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
};

/** A form that changes how the user signs in, in the place of the button that opened it. */
export function ChangeForm<T extends Proof>(props: ChangeFormProps<T>) {
  const { form, refusable, failed, onSubmit } = props;
  const { errors, isSubmitting } = form.formState;
  const frame = useRef<HTMLFormElement>(null);
  useEffect(() => frame.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus(), []);

  const submit = form.handleSubmit(async (input) => {
    try {
      await onSubmit(input as unknown as T);
    } catch (error) {
      const about = fieldErrorsOf(error)[refusable];
      if (about) form.setError(refusable, { message: about }, { shouldFocus: true });
      else if (isWrongPassword(error)) {
        const message = 'That is not your password.';
        form.setError('currentPassword' as Path<T>, { message }, { shouldFocus: true });
      } else form.setError('root', { message: messageOf(error, failed) });
    }
  });

  return (
    <form ref={frame} onSubmit={submit} noValidate aria-label={props.label}>
      <Stack gap="4" maxWidth="27rem">
        {props.children}
        <Refusal>{errors.root?.message}</Refusal>
        <Flex gap="3" wrap="wrap">
          <Button type="submit" variant="contained" loading={isSubmitting}>
            {props.submit}
          </Button>
          <Button variant="quiet" minHeight="12" disabled={isSubmitting} onClick={props.onClose}>
            {props.keep}
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}

type CurrentPasswordProps<T extends Proof> = { form: UseFormReturn<T>; label: string };

export function CurrentPasswordField<T extends Proof>({ form, label }: CurrentPasswordProps<T>) {
  const field = 'currentPassword' as Path<T>;
  return (
    <PasswordField
      label={label}
      autoComplete="current-password"
      error={form.getFieldState(field, form.formState).error?.message}
      {...form.register(field)}
    />
  );
}

type Opening = { open: boolean; show: () => void; close: () => void; button: Ref<HTMLButtonElement> };

/** Whether the form is open. Closed again, it gives the focus back to the button that opens it. */
export function useOpening(): Opening {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(open);
  useEffect(() => {
    if (before.current && !open) button.current?.focus();
    before.current = open;
  }, [open]);
  return { open, show: () => setOpen(true), close: () => setOpen(false), button };
}
