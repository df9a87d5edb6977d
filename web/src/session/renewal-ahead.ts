import { tabHeaders, tabSessionId } from '../api/headers';
import { runtime } from '../runtime';
import { alone, tabsChannel } from './tabs';

/** Below the API's base address. */
export const REFRESH_PATH = '/auth/refresh';

/** Pages that need the session first, and whose addresses carry no secret. */
const ASKING = /^\/($|login$|my\/|admin($|\/)|[0-9a-f]{8}-)/;
const PATIENCE_MS = 30_000;

type Ahead = { answer: Promise<Response>; tabs: BroadcastChannel };

declare global {
  interface Window {
    renewalAhead?: Ahead | undefined;
  }
}

/** Whether the session is asked for ahead on a page. */
export const asksAhead = (pathname: string): boolean => ASKING.test(pathname);

/** Asks for the session's renewal while the page's code is still under way. */
export function renewAhead(): void {
  if (!asksAhead(location.pathname)) return;
  const answer = alone(() => {
    const late = new AbortController();
    setTimeout(() => late.abort(new DOMException('no answer', 'TimeoutError')), PATIENCE_MS);
    return fetch(`${new URL(runtime().apiBaseUrl, location.origin).href}${REFRESH_PATH}`, {
      credentials: 'include',
      headers: tabHeaders(tabSessionId(storage()), document.cookie),
      signal: late.signal,
    });
  });
  // The session handles a failure; without this one that comes earlier would be an unhandled rejection.
  answer.catch(() => undefined);
  const tabs = tabsChannel();
  // Another tab signed in or out meanwhile: the answer is out of date.
  tabs.onmessage = takeRenewalAhead;
  window.renewalAhead = { answer, tabs };
}

/** What was sent ahead, once. */
export function takeRenewalAhead(): Promise<Response> | undefined {
  const ahead = window.renewalAhead;
  window.renewalAhead = undefined;
  ahead?.tabs.close();
  return ahead?.answer;
}

function storage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
