import { passes } from './roles';
import type { SessionState } from './session';

/** How long a protected page waits for a session with no start or refresh running. */
export const PROTECTED_WAIT_MS = 5000;

export type Protection =
  | { kind: 'page' }
  | { kind: 'wait'; because: 'Authenticating' | 'Refreshing session' | 'Verifying session' }
  /** `signedIn` tells whether to suggest contacting an administrator. */
  | { kind: 'restricted'; signedIn: boolean }
  | { kind: 'signIn' };

/** What a protected route shows: the page, a wait, a refusal or the way to sign in. */
export function protect(state: SessionState, required: string | undefined, waitedMs: number): Protection {
  const user = state.user ?? state.cachedUser;
  if (user) {
    if (required === undefined || passes(user.role, required)) return { kind: 'page' };
    return { kind: 'restricted', signedIn: state.user !== null };
  }
  if (state.refreshing) return { kind: 'wait', because: 'Refreshing session' };
  if (state.complete) return { kind: 'signIn' };
  if (waitedMs < PROTECTED_WAIT_MS) {
    return { kind: 'wait', because: state.loading ? 'Authenticating' : 'Verifying session' };
  }
  return { kind: 'signIn' };
}
