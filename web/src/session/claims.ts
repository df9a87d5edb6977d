/** The claims of an access token. */
export type Claims = {
  sub?: string;
  email?: string;
  name?: string;
  role?: string;
  iat?: number;
  exp?: number;
};

/** The claims of an access token, unverified: they are for display and timing only. */
export function claimsOf(token: string): Claims {
  const payload = token.split('.')[1];
  if (!payload) return {};
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

/** The same token with an expiry in the past, and so with an invalid signature. */
export function expired(token: string, now: number): string {
  const claims = { ...claimsOf(token), exp: Math.floor(now / 1000) };
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  const payload = btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
  const [header = '', , signature = ''] = token.split('.');
  return `${header}.${payload}.${signature}`;
}

/** How long a token lasts from the moment it was given, in milliseconds; null when it does not say. */
export function lifeOf(token: string, now: number): number | null {
  const { iat, exp } = claimsOf(token);
  if (!exp) return null;
  // By its own two instants where it has both: this machine's clock may be wrong.
  return exp * 1000 - (iat ? iat * 1000 : now);
}
