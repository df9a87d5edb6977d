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

/** How the live socket fares. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(subscribe, () => status);
}
