import { useSyncExternalStore } from 'react';
import { session } from './current';
import type { SessionState } from './session';

/** The session's state. */
export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, () => session.state);
}
