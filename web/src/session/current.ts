import { createAuthorised } from '../api/authorised';
import { isRefusal } from '../api/errors';
import { createTransport, tabSessionId } from '../api/transport';
import { runtime } from '../runtime';
import { SessionCache } from './cache';
import { browserClock } from './clock';
import { createDoor } from './door';
import { Session } from './session';

/** How long before its end a token is renewed: later in production, where tokens live shorter. */
const RENEWAL_THRESHOLD_MS = { production: 5 * 60_000, development: 10 * 60_000, test: 5 * 60_000 };

function storage(kind: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined;
  }
}

const transport = createTransport({
  baseUrl: new URL(runtime().apiBaseUrl, window.location.origin).href,
  sessionId: tabSessionId(storage('sessionStorage')),
  cookies: () => document.cookie,
});

export const door = createDoor(transport);

/** This tab's session. */
export const session = new Session({
  door,
  cache: new SessionCache(storage('localStorage')),
  clock: browserClock,
  isRefusal,
  renewalThresholdMs: RENEWAL_THRESHOLD_MS[runtime().environment] ?? RENEWAL_THRESHOLD_MS.production,
});

/** Sends a call of the contract as this tab's person. */
export const api = createAuthorised(transport, session);
