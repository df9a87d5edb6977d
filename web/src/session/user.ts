import { type Claims, claimsOf } from './claims';

/** The signed-in person, as the browser holds them. */
export type User = {
  id: string;
  name: string;
  email: string;
  role: string;
  provider: 'email' | 'google';
  businessIds: string[];
};

/** The answer to a sign-in or a refresh. */
export type Grant = {
  token: string;
  role?: string;
  businessIds?: string[];
  /** Until the session ends for good, however often its token is renewed. */
  sessionSecondsLeft?: number;
  /** The cursor from which the live socket resumes: everything read with this token is newer. */
  liveCursor?: string;
};

/** The user as the server describes them, for a token without claims. */
export type Me = Pick<Claims, 'name' | 'email' | 'role'> & { id?: string };

const PLACEHOLDER_ID = 'me';
const PLACEHOLDER_EMAIL = 'unknown';
/** Without a role a person is a plain user. */
const DEFAULT_ROLE = 'user';

/** Whether an id or an address is a placeholder for an unknown one. */
export function isPlaceholder(text: string): boolean {
  return text === PLACEHOLDER_ID || text === PLACEHOLDER_EMAIL;
}

function localPart(email: string): string {
  return email.split('@')[0] || email;
}

/** After a password sign-in only the e-mail is known for sure. */
export function userFromSignIn(email: string, grant: Grant): User {
  return {
    id: PLACEHOLDER_ID,
    name: localPart(email),
    email,
    role: grant.role || DEFAULT_ROLE,
    provider: 'email',
    businessIds: grant.businessIds ?? [],
  };
}

/**
 * After a silent refresh or a provider's sign-in the user is read from the token;
 * without claims from the server, and if that fails from placeholders.
 */
export async function userFromToken(
  grant: Grant,
  provider: User['provider'],
  ask: (token: string) => Promise<Me>,
): Promise<User> {
  const claims = claimsOf(grant.token);
  const { id, name, email, role } = claims.sub
    ? { ...claims, id: claims.sub }
    : await ask(grant.token).catch((): Me => ({}));
  const address = email || PLACEHOLDER_EMAIL;
  return {
    id: id || PLACEHOLDER_ID,
    name: name || localPart(address),
    email: address,
    role: grant.role || role || DEFAULT_ROLE,
    provider,
    businessIds: grant.businessIds ?? [],
  };
}
