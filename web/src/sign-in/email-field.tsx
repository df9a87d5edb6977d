import type { Ref } from 'react';
import { TextField } from '../ui/field';

/** What is wrong with an address as far as a page can tell; the server knows the rest. */
export const problemOf = (email: string) => (/^\S+@\S+$/.test(email) ? '' : 'Enter your e-mail address.');

type EmailFieldProps = {
  ref: Ref<HTMLInputElement>;
  typed: string;
  error: string | undefined;
  onChange: (email: string) => void;
};

/** The address that somebody signs in with. */
export function EmailField({ ref, typed, error, onChange }: EmailFieldProps) {
  return (
    <TextField
      ref={ref}
      label="E-mail"
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={typed}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
