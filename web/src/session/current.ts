import { createAuthorised } from '../api/authorised';
import { isRefusal } from '../api/errors';
import { createTransport, tabSessionId } from '../api/transport';
import { runtime } from '../runtime';
import { SessionCache } from './cache';
import { browserClock } from './clock';
import { createDoor } from './door';
import { providerAddresses } from './provider/addresses';
import { Attempts } from './provider/attempts';
import { ProviderFlow } from './provider/flow';
import { Session } from './session';
import { browserTabs } from './tabs';

function storage(kind: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined;
  }
}

/** What this tab alone remembers, if the browser lets it. */
export const tabStorage = storage('sessionStorage');

const { origin } = window.location;
const baseUrl = new URL(runtime().apiBaseUrl, origin).href;

const transport = createTransport({
  baseUrl,
  sessionId: tabSessionId(tabStorage),
  cookies: () => document.cookie,
  token: () => session.token,
});

export const door = createDoor(transport);

/** This tab's session. */
export const session = new Session({
  door,
  cache: new SessionCache(storage('localStorage')),
  clock: browserClock,
  isRefusal,
  tabs: browserTabs(),
  renewalThresholdMs: runtime().renewalThresholdMs,
});

export const providerPlaces = providerAddresses(baseUrl, origin);
export const providerAttempts = new Attempts(tabStorage);

/** This tab's way to Google. */
export const provider = new ProviderFlow({
  clock: browserClock,
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  canDigest: window.isSecureContext,
  attempts: providerAttempts,
  addresses: providerPlaces,
  configuration: door.frontendConfiguration,
  go: (address) => window.location.assign(address),
  hasUser: () => session.state.user !== null,
});

/** Sends a call of the contract as this tab's person. */
export const api = createAuthorised(transport, session);
