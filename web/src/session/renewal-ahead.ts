import { tabHeaders, tabSessionId } from '../api/headers';
import { runtime } from '../runtime';
import { alone } from './tabs';

/** Below the API's base address. */
export const REFRESH_PATH = '/auth/refresh';

/** Pages that begin with finding out who is there, and whose addresses carry nobody's secret. */
const ASKING = /^\/($|login$|my\/|admin($|\/)|[0-9a-f]{8}-)/;
const PATIENCE_MS = 30_000;

declare global {
  interface Window {
    renewalAhead?: Promise<Response> | undefined;
  }
}

/** Asks for the session's renewal while the page's code is still under way. */
export function renewAhead(): void {
  if (!ASKING.test(location.pathname)) return;
  const late = new AbortController();
  setTimeout(() => late.abort(new DOMException('no answer', 'TimeoutError')), PATIENCE_MS);
  const sent = alone(() =>
    fetch(`${new URL(runtime().apiBaseUrl, location.origin).href}${REFRESH_PATH}`, {
      credentials: 'include',
      headers: tabHeaders(tabSessionId(storage()), document.cookie),
      signal: late.signal,
    }),
  );
  // Whoever takes it hears of a failure; until then it is nobody's.
  sent.catch(() => undefined);
  window.renewalAhead = sent;
}

/** What was sent ahead, once. */
export function takeRenewalAhead(): Promise<Response> | undefined {
  const sent = window.renewalAhead;
  window.renewalAhead = undefined;
  return sent;
}

function storage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
