import { useSyncExternalStore } from 'react';

export type LiveStatus = 'off' | 'connecting' | 'live' | 'waiting';

let status: LiveStatus = 'off';
const listeners = new Set<() => void>();

export function reportLiveStatus(next: LiveStatus): void {
  status = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The state of the live socket. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(subscribe, () => status);
}
