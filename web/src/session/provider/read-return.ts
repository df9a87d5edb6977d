import type { Arrival } from './arrival';
import type { Attempt } from './attempts';

/** Why a return from the provider is refused. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError';
  /** Whether this browser lost its stored attempt: the server's flow needs none. */
  readonly lostMemory: boolean;

  constructor(message: string, lostMemory = false) {
    super(message);
    this.lostMemory = lostMemory;
  }
}

/** A return that is in order: what to exchange for a session. */
export type Return =
  | { kind: 'code'; code: string; codeVerifier: string }
  | { kind: 'handoff'; token: string };

/**
 * Reads a return: a `token` comes from the door's flow, everything else belongs
 * to the page's as soon as either side knows of one.
 *
 * Throws a `CallbackError` for one that is not in order.
 */
export function readReturn(arrival: Arrival, attempt: Attempt): Return {
  if (arrival.error) throw new CallbackError(`OAuth2 authentication failed: ${shownError(arrival.error)}`);
  const ofPage = arrival.code !== null || arrival.state !== null || attempt.state !== null;
  if (arrival.token === null && ofPage) return codeOf(arrival, attempt);
  if (!arrival.token) throw new CallbackError('No authentication token received from server.');
  if (!isJwt(arrival.token)) throw new CallbackError('Invalid JWT token format');
  return { kind: 'handoff', token: arrival.token };
}

function codeOf({ code, state }: Arrival, attempt: Attempt): Return {
  if (!state) throw new CallbackError('Missing state parameter. Request rejected for security.');
  if (!attempt.state) {
    throw new CallbackError('No stored state found. Please restart OAuth flow.', true);
  }
  if (attempt.state !== state) {
    throw new CallbackError('Invalid state parameter. Potential CSRF attack detected.');
  }
  if (!attempt.verifier) {
    throw new CallbackError('Code verifier not found. Please restart the OAuth flow.', true);
  }
  if (!code) throw new CallbackError('OAuth2 authentication failed: no_code');
  return { kind: 'code', code, codeVerifier: attempt.verifier };
}

function isJwt(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => part !== '');
}

const MAX_ERROR_CHARACTERS = 200;

/** The parameter as text on one line: nothing in it may hide, break or reverse the words around it. */
function shownError(error: string): string {
  const visible = error.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
  return [...visible].slice(0, MAX_ERROR_CHARACTERS).join('');
}
