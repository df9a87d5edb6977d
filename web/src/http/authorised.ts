import { refusal } from './errors';
import type { Outgoing, Transport } from './transport';

/** The part of the session a call needs. */
export type TokenSource = {
  readyToken(): Promise<string | null>;
  renewAfterRefusal(refused: string | null): Promise<string | null>;
};

const AUTH_PATHS = '/auth/';
const CALENDARS_PATH = '/me/calendars';

/**
 * Sends with the access token. On a 401 the token is renewed once and the
 * request sent again; everything refused or made meanwhile waits for that one
 * renewal.
 */
export function createAuthorised(
  transport: Transport,
  tokens: TokenSource,
): (request: Outgoing) => Promise<unknown> {
  return async (request) => {
    const token = await tokens.readyToken();
    let answer = await transport({ ...request, token });
    if (answer.status === 401 && (await mayRenew(request, answer))) {
      const renewed = await tokens.renewAfterRefusal(token);
      if (renewed) answer = await transport({ ...request, token: renewed });
    }
    return bodyOf(answer);
  };
}

/** The body of an accepted answer; a refused one is thrown. */
export async function bodyOf(answer: Response): Promise<unknown> {
  if (!answer.ok) throw await refusal(answer);
  const text = await answer.text();
  return text === '' ? {} : JSON.parse(text);
}

/** Sign-in paths answer 401 for their own reasons, and a calendar's missing consent is no missing session. */
async function mayRenew(request: Outgoing, answer: Response): Promise<boolean> {
  if (request.path.startsWith(AUTH_PATHS)) return false;
  if (request.path !== CALENDARS_PATH) return true;
  const body = (await answer
    .clone()
    .json()
    .catch(() => null)) as { authorizationRequired?: boolean } | null;
  return body?.authorizationRequired !== true;
}
