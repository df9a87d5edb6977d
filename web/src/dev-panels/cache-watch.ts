import type { GetCacheStatsResponse } from '../gen/frontdesk/telemetry/v1/cache_pb';
import { ApiError, messageOf } from '../http/errors';
import type { Clock } from '../time/clock';

export const POLL_MS = 2000;

/** The panel's calls, each sent as the signed-in person: a 401 waits for a renewal and is tried once more. */
export type CacheCalls = {
  stats(): Promise<GetCacheStatsResponse>;
  reset(): Promise<{ message: string }>;
  clear(): Promise<{ message: string }>;
  test(): Promise<{ message: string; success: boolean }>;
};

export type CacheAction = 'reset' | 'clear' | 'test';

export type CacheStatus = { tone: 'good' | 'bad'; text: string };

export type CacheState = {
  stats: GetCacheStatsResponse | null;
  /** What the last action came to, or why nothing can be shown. */
  status: CacheStatus | null;
  running: CacheAction | null;
};

type Parts = {
  clock: Clock;
  calls: CacheCalls;
  /** Whether a user is signed in, once that is known. */
  signedIn: () => Promise<boolean>;
};

const PREFIX = { reset: 'Reset error', clear: 'Clear error', test: 'Test error' } as const;
const NOT_AUTHENTICATED = 'Error: Not authenticated';
const AUTH_FAILED = 'Auth failed: Please log in again';

/** What the cache panel shows: read every two seconds while it is open. */
export class CacheWatch {
  readonly #parts: Parts;
  readonly #listeners = new Set<() => void>();
  #state: CacheState = { stats: null, status: null, running: null };
  /** Counts openings, so that an answer for a panel that was closed is dropped. */
  #opening = 0;
  #cancel: (() => void) | null = null;
  /** The status is a failed reading's, which the next good one takes back. */
  #readingFailed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get state(): CacheState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  open(): void {
    this.close();
    void this.#poll(this.#opening);
  }

  close(): void {
    this.#opening += 1;
    this.#cancel?.();
    this.#cancel = null;
  }

  async run(action: CacheAction): Promise<void> {
    if (this.#state.running) return;
    this.#set({ running: action });
    const outcome = await this.#outcomeOf(action);
    this.#readingFailed = false;
    this.#set({ running: null, status: outcome });
    if (outcome.tone === 'good') await this.#read(this.#opening);
  }

  async #poll(opening: number): Promise<void> {
    await this.#read(opening);
    if (opening !== this.#opening) return;
    this.#cancel = this.#parts.clock.after(POLL_MS, () => void this.#poll(opening));
  }

  async #read(opening: number): Promise<void> {
    const { calls, signedIn } = this.#parts;
    const stats = (await signedIn()) ? await settled(calls.stats()) : NOT_AUTHENTICATED;
    if (opening !== this.#opening) return;
    if (typeof stats === 'string') {
      this.#readingFailed = true;
      this.#set({ status: { tone: 'bad', text: stats } });
    } else if (this.#readingFailed) {
      this.#readingFailed = false;
      this.#set({ stats, status: null });
    } else {
      this.#set({ stats });
    }
  }

  async #outcomeOf(action: CacheAction): Promise<CacheStatus> {
    const { calls, signedIn } = this.#parts;
    if (!(await signedIn())) return { tone: 'bad', text: NOT_AUTHENTICATED };
    try {
      const answer = await calls[action]();
      const failed = 'success' in answer && !answer.success;
      return failed
        ? { tone: 'bad', text: `${PREFIX[action]}: ${answer.message}` }
        : { tone: 'good', text: answer.message };
    } catch (error) {
      return { tone: 'bad', text: failure(error, PREFIX[action]) };
    }
  }

  #set(change: Partial<CacheState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** The answer, or the line that says why there is none. */
async function settled<T>(answer: Promise<T>): Promise<T | string> {
  try {
    return await answer;
  } catch (error) {
    return failure(error, 'Error');
  }
}

function failure(error: unknown, prefix: string): string {
  if (error instanceof ApiError && error.status === 401) return AUTH_FAILED;
  // A developer wants the door's own words.
  const words = error instanceof ApiError && error.failure.kind === 'refused' ? error.message : '';
  return `${prefix}: ${words || messageOf(error)}`;
}
