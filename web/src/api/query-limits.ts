import type { Query, QueryCache } from '@tanstack/react-query';
import type { Clock } from '../time/clock';

export const MAX_ENTRIES = 500;
export const TTL_MS = 5 * 60_000;
export const CLEANUP_MS = 60_000;

/**
 * Limits this tab's cache to five hundred answers, each at most five minutes old.
 * Answers that a screen shows or waits for stay; their own rules keep them
 * fresh. Returns a function that stops it.
 */
export function limitEntries(cache: QueryCache, clock: Clock): () => void {
  const unsubscribe = cache.subscribe((event) => {
    if (event.type === 'added') dropOldest(cache, event.query);
  });
  let cancel = () => {};
  const cleanLater = () => {
    cancel = clock.after(CLEANUP_MS, () => {
      dropExpired(cache, clock.now());
      dropOldest(cache);
      cleanLater();
    });
  };
  cleanLater();
  return () => {
    unsubscribe();
    cancel();
  };
}

function dropExpired(cache: QueryCache, now: number): void {
  for (const entry of cache.getAll()) {
    if (isIdle(entry) && now - answeredAt(entry) >= TTL_MS) cache.remove(entry);
  }
}

/** Makes room, the oldest first; `added` is about to be used. */
function dropOldest(cache: QueryCache, added?: Query): void {
  const entries = cache.getAll();
  const surplus = entries.length - MAX_ENTRIES;
  if (surplus <= 0) return;
  const idle = entries.filter((entry) => entry !== added && isIdle(entry));
  idle.sort((one, other) => answeredAt(one) - answeredAt(other));
  for (const entry of idle.slice(0, surplus)) cache.remove(entry);
}

function isIdle(entry: Query): boolean {
  return entry.getObserversCount() === 0 && entry.state.fetchStatus === 'idle';
}

function answeredAt({ state }: Query): number {
  return Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
}
