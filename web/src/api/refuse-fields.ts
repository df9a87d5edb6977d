import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { fieldErrorsOf, messageOf } from '../http/errors';

/** Says at the fields of a form what the server refused, with the focus on the first; or why else at its foot. */
export function refuseFields<V extends FieldValues>(
  { setError }: Pick<UseFormReturn<V>, 'setError'>,
  error: unknown,
  fieldOf: (violated: string) => FieldPath<V> | undefined,
  otherwise: string,
): void {
  const refused = Object.entries(fieldErrorsOf(error)).flatMap(([violated, message]) => {
    const field = fieldOf(violated);
    return field ? [{ field, message }] : [];
  });
  for (const [index, { field, message }] of refused.entries())
    setError(field, { message }, { shouldFocus: index === 0 });
  if (refused.length === 0) setError('root', { message: messageOf(error, otherwise) });
}
