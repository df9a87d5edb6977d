/** The headers of every request: the tab's id and, given the cookies, the XSRF token. */
export function tabHeaders(sessionId: string, cookies: string): Record<string, string> {
  const token = xsrfToken(cookies);
  return {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    'X-Session-Id': sessionId,
    ...(token ? { 'X-XSRF-TOKEN': token } : {}),
  };
}

/** The cookie whose value goes into the header. */
function xsrfToken(cookies: string): string | undefined {
  const pair = cookies.split('; ').find((cookie) => cookie.startsWith('XSRF-TOKEN='));
  return pair && decodeURIComponent(pair.slice('XSRF-TOKEN='.length));
}

const SESSION_ID_KEY = 'sessionId';

/** A random id of this tab, for following one person's way through traces. */
export function tabSessionId(storage: Storage | undefined): string {
  const fresh = crypto.randomUUID();
  try {
    const kept = storage?.getItem(SESSION_ID_KEY);
    if (kept) return kept;
    storage?.setItem(SESSION_ID_KEY, fresh);
  } catch {
    // Storage refused: the id lives as long as the page.
  }
  return fresh;
}
