import { claimsOf } from './claims';
import { isPlaceholder, type User } from './user';

/** A user, with the token that proves it where there is one. */
type Proven = { user: User; token: string | null };

/** Ignores case and surrounding spaces. */
export function sameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Compares ids where both are known, else addresses. An unknown user matches any. */
export function samePerson(one: Proven, other: Proven): boolean {
  const [id, otherId] = [idOf(one), idOf(other)];
  if (id && otherId) return id === otherId;
  const [{ email }, { email: otherEmail }] = [one.user, other.user];
  return isPlaceholder(email) || isPlaceholder(otherEmail) || sameAddress(email, otherEmail);
}

/** Whether two tokens may be the same person's. */
export function sameBearer(one: string | null, other: string | null): boolean {
  const [id, otherId] = [one, other].map((token) => (token ? claimsOf(token).sub : undefined));
  return !id || !otherId || id === otherId;
}

function idOf({ user, token }: Proven): string {
  return (token && claimsOf(token).sub) || (isPlaceholder(user.id) ? '' : user.id);
}
