import { useSyncExternalStore } from 'react';
import { session } from './current';
import type { SessionState } from './session';

/** The session as the screens see it. */
export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, () => session.state);
}
