import type { User } from './user';

/** How long a cached user may stand in for a session that is still being refreshed. */
const LIFETIME_MS = 5 * 60_000;
const USER_KEY = 'auth';
const HAD_SESSION_KEY = 'hadSession';

export type CachedAuth = { user: User; timestamp: number; expiresAt: number };

/**
 * Keeps the user over a reload, never a token. If the browser refuses storage,
 * nothing is kept, and nothing else fails.
 */
export class SessionCache {
  readonly #storage: Storage | undefined;

  constructor(storage: Storage | undefined) {
    this.#storage = storage;
  }

  read(now: number): CachedAuth | null {
    const cached = this.#parse();
    return cached && cached.timestamp <= now && now < cached.expiresAt ? cached : null;
  }

  keep(user: User, now: number): void {
    const cached: CachedAuth = { user, timestamp: now, expiresAt: now + LIFETIME_MS };
    this.#attempt((storage) => {
      storage.setItem(USER_KEY, JSON.stringify(cached));
      storage.setItem(HAD_SESSION_KEY, 'true');
    });
  }

  /** Whether a token existed, although none is stored. */
  get hadSession(): boolean {
    return this.#attempt((storage) => storage.getItem(HAD_SESSION_KEY)) === 'true';
  }

  /** Removes the user, but keeps that there was a session. */
  dropUser(): void {
    this.#attempt((storage) => storage.removeItem(USER_KEY));
  }

  clear(): void {
    this.#attempt((storage) => {
      storage.removeItem(USER_KEY);
      storage.removeItem(HAD_SESSION_KEY);
    });
  }

  #parse(): CachedAuth | null {
    const text = this.#attempt((storage) => storage.getItem(USER_KEY));
    if (!text) return null;
    try {
      const cached: unknown = JSON.parse(text);
      return isCachedAuth(cached) ? cached : null;
    } catch {
      return null;
    }
  }

  #attempt<T>(use: (storage: Storage) => T): T | undefined {
    try {
      return this.#storage && use(this.#storage);
    } catch {
      return undefined;
    }
  }
}

/** Local storage may hold anything, such as the format of an older version. */
function isCachedAuth(value: unknown): value is CachedAuth {
  const { user, timestamp, expiresAt } = (value ?? {}) as Partial<CachedAuth>;
  return (
    typeof timestamp === 'number' &&
    typeof expiresAt === 'number' &&
    [user?.id, user?.name, user?.email, user?.role].every((text) => typeof text === 'string') &&
    Array.isArray(user?.businessIds)
  );
}
