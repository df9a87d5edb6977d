import type { SessionCache } from './cache';
import type { Clock } from './clock';
import { RefreshManager } from './refresh-manager';
import { claimsOf, type Grant, type User, userFromRefresh, userFromSignIn } from './user';

/** The door's hand-written routes for people. */
export type AuthDoor = {
  login(email: string, password: string): Promise<Grant>;
  refresh(): Promise<Grant>;
  logout(token: string | null): Promise<void>;
};

/** What the screens see of the session. */
export type SessionState = {
  user: User | null;
  /** Who it was before the reload, while the session is still unproven. */
  cachedUser: User | null;
  loading: boolean;
  refreshing: boolean;
  /** The start is over, whatever came of it. */
  complete: boolean;
  /** How the last session of this tab ended, until the next begins. */
  ended: SessionEnd | null;
};

export type SessionEnd = 'signedOut' | 'expired';

type Parts = {
  door: AuthDoor;
  cache: SessionCache;
  clock: Clock;
  /** Whether the door refused the session, as opposed to not answering. */
  isRefusal: (error: unknown) => boolean;
  /** How long before its end a token is renewed. */
  renewalThresholdMs: number;
};

const STILL_REFRESHING_MS = 12_000;
const FAILSAFE_MS = 15_000;
const LEAST_RENEWAL_WAIT_MS = 30_000;

/** The session of this tab: who is signed in, and the token that proves it. */
export class Session {
  readonly #parts: Parts;
  readonly #refreshes: RefreshManager<Grant>;
  readonly #listeners = new Set<() => void>();
  readonly #tokenListeners = new Set<(token: string) => void>();
  readonly #endListeners = new Set<(end: SessionEnd, hadSession: boolean) => void>();
  #state: SessionState;
  #token: string | null = null;
  #started: Promise<void> | null = null;
  #cancelRenewal: (() => void) | null = null;
  /** Counts sign-ins and endings, so that an answer from before one of them is dropped. */
  #epoch = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#refreshes = new RefreshManager(parts.clock, () => parts.door.refresh());
    this.#state = {
      user: null,
      cachedUser: parts.cache.read(parts.clock.now()),
      loading: true,
      refreshing: false,
      complete: false,
      ended: null,
    };
  }

  get state(): SessionState {
    return this.#state;
  }

  get token(): string | null {
    return this.#token;
  }

  /** Stands for "a token existed" across reloads. */
  get hadSession(): boolean {
    return this.#parts.cache.hadSession;
  }

  subscribe = (listener: () => void): (() => void) => add(this.#listeners, listener);

  /** Hears of every new token: the live socket proves itself again with it. */
  onToken(listener: (token: string) => void): () => void {
    return add(this.#tokenListeners, listener);
  }

  onEnd(listener: (end: SessionEnd, hadSession: boolean) => void): () => void {
    return add(this.#endListeners, listener);
  }

  /** Tries one silent refresh; resolves when the session is known, never rejects. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** The token to send; while there is none, once the start has decided whether there will be. */
  async readyToken(): Promise<string | null> {
    if (!this.#token) await this.start();
    return this.#token;
  }

  async signIn(email: string, password: string): Promise<User> {
    const grant = await this.#parts.door.login(email, password);
    this.#epoch += 1;
    this.#refreshes.reset();
    return this.#accept(userFromSignIn(email, grant), grant);
  }

  async signOut(): Promise<void> {
    const token = this.#token;
    try {
      await this.#parts.door.logout(token);
    } finally {
      this.#end('signedOut');
    }
  }

  /**
   * After a 401: the token to try again with, or null when the session is over.
   * A token newer than the refused one is good enough.
   */
  async renewAfterRefusal(refused: string | null): Promise<string | null> {
    if (this.#token && this.#token !== refused) return this.#token;
    const { user, cachedUser, complete } = this.#state;
    if (complete && !user && !cachedUser) return this.#giveUp();
    const epoch = this.#epoch;
    try {
      await this.renew();
      return this.#token;
    } catch {
      return epoch === this.#epoch ? this.#giveUp() : this.#token;
    }
  }

  /** Exchanges the refresh cookie for a new token. */
  async renew(): Promise<string> {
    const epoch = this.#epoch;
    const grant = await this.#refresh();
    if (epoch === this.#epoch && grant.token !== this.#token) this.#accept(userFromRefresh(grant), grant);
    return grant.token;
  }

  /** The protected route gave up: nothing of the person stays behind. */
  forgetCachedUser(): void {
    this.#parts.cache.dropUser();
    this.#set({ cachedUser: null });
  }

  async #start(): Promise<void> {
    const { clock } = this.#parts;
    const stopWaiting = () => this.#set({ loading: false });
    const cancels = [
      clock.after(STILL_REFRESHING_MS, () => this.#refreshes.running && stopWaiting()),
      clock.after(FAILSAFE_MS, stopWaiting),
    ];
    try {
      if (!this.#state.user && this.#refreshes.allowed) await this.renew();
    } catch (error) {
      if (!this.#state.user && this.#parts.isRefusal(error)) this.forgetCachedUser();
    } finally {
      for (const cancel of cancels) cancel();
      this.#set({ loading: false, complete: true });
    }
  }

  async #refresh(): Promise<Grant> {
    const running = this.#refreshes.run();
    this.#set({ refreshing: this.#refreshes.running });
    try {
      return await running;
    } finally {
      this.#set({ refreshing: false });
    }
  }

  #accept(user: User, grant: Grant): User {
    this.#token = grant.token;
    this.#parts.cache.keep(user, this.#parts.clock.now());
    this.#scheduleRenewal(grant.token);
    this.#set({ user, cachedUser: user, loading: false, complete: true, ended: null });
    for (const listener of this.#tokenListeners) listener(grant.token);
    return user;
  }

  #scheduleRenewal(token: string): void {
    this.#cancelRenewal?.();
    const { exp } = claimsOf(token);
    if (!exp) return;
    const { clock, renewalThresholdMs } = this.#parts;
    const wait = exp * 1000 - clock.now() - renewalThresholdMs;
    this.#cancelRenewal = clock.after(Math.max(wait, LEAST_RENEWAL_WAIT_MS), () => {
      // A failure here costs nothing: the next refused call tries again and decides.
      this.renew().catch(() => undefined);
    });
  }

  #giveUp(): null {
    if (this.#state.ended === null) this.#end('expired');
    return null;
  }

  #end(end: SessionEnd): void {
    const hadSession = this.#parts.cache.hadSession;
    this.#epoch += 1;
    this.#token = null;
    this.#cancelRenewal?.();
    this.#cancelRenewal = null;
    this.#parts.cache.clear();
    this.#set({ user: null, cachedUser: null, loading: false, complete: true, ended: end });
    for (const listener of this.#endListeners) listener(end, hadSession);
  }

  #set(change: Partial<SessionState>): void {
    const next = { ...this.#state, ...change };
    const changed = (Object.keys(change) as (keyof SessionState)[]).some(
      (key) => next[key] !== this.#state[key],
    );
    if (!changed) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}

function add<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
