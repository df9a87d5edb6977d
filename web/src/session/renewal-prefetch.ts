import { tabHeaders, tabSessionId } from '../http/headers';
import { runtime } from '../runtime';
import { alone, tabsChannel } from './tabs';

/** Below the API's base address. */
export const REFRESH_PATH = '/auth/refresh';

/** Pages that need the session first, and whose addresses carry no secret. */
const PREFETCHED = /^\/($|login$|my\/|admin($|\/)|[0-9a-f]{8}-)/;
const TIMEOUT_MS = 30_000;

type Prefetch = { answer: Promise<Response>; tabs: BroadcastChannel };

declare global {
  interface Window {
    renewalPrefetch?: Prefetch | undefined;
  }
}

/** Whether a page prefetches the session's renewal. */
export const prefetchesRenewal = (pathname: string): boolean => PREFETCHED.test(pathname);

/** Requests the session's renewal while the page's code is still loading. */
export function prefetchRenewal(): void {
  if (!prefetchesRenewal(location.pathname)) return;
  const answer = alone(() => {
    const late = new AbortController();
    setTimeout(() => late.abort(new DOMException('no answer', 'TimeoutError')), TIMEOUT_MS);
    return fetch(`${new URL(runtime().apiBaseUrl, location.origin).href}${REFRESH_PATH}`, {
      credentials: 'include',
      headers: tabHeaders(tabSessionId(storage()), document.cookie),
      signal: late.signal,
    });
  });
  // The session handles a failure when it takes the answer; until then it would be an unhandled rejection.
  answer.catch(() => undefined);
  const tabs = tabsChannel();
  // Another tab signed in or out meanwhile: the answer is out of date.
  tabs.onmessage = takePrefetchedRenewal;
  window.renewalPrefetch = { answer, tabs };
}

/** The answer to the prefetch, once. */
export function takePrefetchedRenewal(): Promise<Response> | undefined {
  const prefetch = window.renewalPrefetch;
  window.renewalPrefetch = undefined;
  prefetch?.tabs.close();
  return prefetch?.answer;
}

function storage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
