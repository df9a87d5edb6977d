import { vi } from 'vitest';

/** How long what a journey waits for may take: as long as a page's own waits. */
const WITHIN_MS = 15_000;

/** Asks again until nothing is thrown any more, and gives the answer. */
export function until<T>(check: () => T | Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  return vi.waitFor(check, { timeout: withinMs, interval: 50 });
}
