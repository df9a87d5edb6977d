/** The signed-in person, as the browser holds them. */
export type User = {
  id: string;
  name: string;
  email: string;
  role: string;
  provider: 'email';
  businessIds: string[];
};

/** What sign-in and refresh answer. */
export type Grant = { token: string; role?: string; businessIds?: string[] };

const PLACEHOLDER_ID = 'me';
const PLACEHOLDER_EMAIL = 'unknown';
/** Without a role a person is a plain user. */
const DEFAULT_ROLE = 'user';

type Claims = { sub?: string; email?: string; name?: string; role?: string; exp?: number };

/** The claims of an access token, unverified: they are for display and timing only. */
export function claimsOf(token: string): Claims {
  const payload = token.split('.')[1];
  if (!payload) return {};
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
  } catch {
    return {};
  }
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

/** After a silent refresh the token says who it is. */
export function userFromRefresh(grant: Grant): User {
  const claims = claimsOf(grant.token);
  const email = claims.email || PLACEHOLDER_EMAIL;
  return {
    id: claims.sub || PLACEHOLDER_ID,
    name: claims.name || localPart(email),
    email,
    role: grant.role || claims.role || DEFAULT_ROLE,
    provider: 'email',
    businessIds: grant.businessIds ?? [],
  };
}
