import type { ComponentProps } from 'react';
import * as z from 'zod/mini';
import { ApiError, fieldErrorsOf, messageOf } from '../http/errors';
import { TextField } from '../ui/field';

/** The address of a published calendar, as it is typed. */
export const address = z.string().check(z.trim(), z.minLength(1, 'Enter the calendar’s address.'));

/** Where a calendar is published. It is shown while it is typed, and never again. */
export const AddressField = (props: ComponentProps<typeof TextField>) => (
  <TextField
    hint="It begins with https:// or webcal://, and mostly ends with .ics. It is sealed here and never shown again."
    autoComplete="off"
    inputMode="url"
    spellCheck={false}
    {...props}
  />
);

/** Why an address is not taken, and whether that is about the address itself. */
export function addressFault(
  error: unknown,
  fallback: string,
): { field: 'address' | 'root'; message: string } {
  const about =
    error instanceof ApiError && error.reason === 'ALREADY_EXISTS'
      ? 'This calendar is connected already.'
      : fieldErrorsOf(error).address;
  return about
    ? { field: 'address', message: about }
    : { field: 'root', message: messageOf(error, fallback) };
}
