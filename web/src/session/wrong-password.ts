import { ApiError, fieldErrorsOf } from '../http/errors';

/** The current password was not the person's. */
export function isWrongPassword(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.reason === 'WRONG_CREDENTIALS' || 'currentPassword' in fieldErrorsOf(error);
}
