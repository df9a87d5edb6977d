import { createAuthorised } from '../http/authorised';
import { isRefusal } from '../http/errors';
import { tabSessionId } from '../http/headers';
import { RequestSpans } from '../http/request-spans';
import { createTransport } from '../http/transport';
import { runtime } from '../runtime';
import { browserClock } from '../time/clock';
import { SessionCache } from './cache';
import { createDoor } from './door';
import { takePrefetchedRenewal } from './renewal-prefetch';
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

/** Where this installation's API begins, wherever the page came from. */
export const baseUrl = new URL(runtime().apiBaseUrl, window.location.origin).href;

/** Requests of this page, where the installation keeps traces. */
export const requestSpans = runtime().reports.traces ? new RequestSpans() : undefined;

export const transport = createTransport({
  baseUrl,
  sessionId: tabSessionId(tabStorage),
  cookies: () => document.cookie,
  token: () => session.token,
  spans: requestSpans,
});

export const door = createDoor(transport, takePrefetchedRenewal);

/** This tab's session. */
export const session = new Session({
  door,
  cache: new SessionCache(storage('localStorage')),
  clock: browserClock,
  isRefusal,
  tabs: browserTabs(),
  renewalThresholdMs: runtime().renewalThresholdMs,
});

/** Sends a call of the contract as this tab's person. */
export const api = createAuthorised(transport, session);
