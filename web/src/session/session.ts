import type { Clock } from '../time/clock';
import type { SessionCache } from './cache';
import { expired } from './claims';
import { sameBearer, samePerson } from './person';
import { RefreshManager } from './refresh-manager';
import type { News, Tabs } from './tabs';
import { Timetable } from './timetable';
import { type Grant, type Me, type User, userFromSignIn, userFromToken } from './user';

/** The door's hand-written routes for people. */
export type AuthDoor = {
  login(email: string, password: string): Promise<Grant>;
  refresh(): Promise<Grant>;
  logout(token: string | null): Promise<void>;
  me(token: string): Promise<Me>;
  myBusinesses(token: string): Promise<{ businessIds?: string[] }>;
};

/** The session's state for the screens. */
export type SessionState = {
  user: User | null;
  /** The user from before the reload, until the session is confirmed. */
  cachedUser: User | null;
  loading: boolean;
  refreshing: boolean;
  /** The start is over, with or without a user. */
  complete: boolean;
  /** How the last session of this tab ended, until the next begins. */
  ended: SessionEnd | null;
  /** When the session ends for good; null until that is near. */
  endingAt: number | null;
};

/** `again`: to sign in anew and go on; `replaced`: another user signed in at this browser. */
export type SessionEnd = 'signedOut' | 'expired' | 'again' | 'replaced';

type Parts = {
  door: AuthDoor;
  cache: SessionCache;
  clock: Clock;
  tabs: Tabs;
  /** Whether the door refused the session, as opposed to not answering. */
  isRefusal: (error: unknown) => boolean;
  /** How long before its end a token is renewed. */
  renewalThresholdMs: number;
};

type Renewed = { grant: Grant; user: User };

const STILL_REFRESHING_MS = 12_000;
const FAILSAFE_MS = 15_000;

/** The session of this tab: who is signed in, and the token that proves it. */
export class Session {
  readonly #parts: Parts;
  readonly #refreshes: RefreshManager<Renewed>;
  readonly #timetable: Timetable;
  readonly #listeners = new Set<() => void>();
  readonly #tokenListeners = new Set<(token: string) => void>();
  readonly #signInListeners = new Set<() => void>();
  readonly #endListeners = new Set<(end: SessionEnd, hadSession: boolean) => void>();
  #state: SessionState;
  #token: string | null = null;
  #liveCursor = '';
  #started: Promise<void> | null = null;
  /** The renewal that refused calls wait for, and calls that are made meanwhile. */
  #queue: Promise<string | null> | null = null;
  /** The logout request of a session that has ended here; never rejects. */
  #leaving: Promise<unknown> | null = null;
  /** A request is under way that ends this session. */
  #endAsked = false;
  /** What the start still waits for. */
  #startTimers: (() => void)[] = [];
  /** Counts sign-ins and endings, so that an answer from before one of them is dropped. */
  #epoch = 0;

  constructor(parts: Parts) {
    const { cache, clock, door, renewalThresholdMs, tabs } = parts;
    this.#parts = parts;
    this.#refreshes = new RefreshManager(clock, async () => {
      const grant = await tabs.alone(() => door.refresh());
      return { grant, user: await userFromToken(grant, 'email', door.me) };
    });
    this.#timetable = new Timetable({
      clock,
      renewalThresholdMs,
      // A failure here costs nothing: the next refused call tries again and decides.
      renew: () => void this.renew().catch(() => undefined),
      ending: (endingAt) => this.#set({ endingAt }),
    });
    const cached = cache.read(clock.now());
    this.#state = {
      user: null,
      cachedUser: cached?.user ?? null,
      loading: true,
      refreshing: false,
      complete: false,
      ended: null,
      endingAt: null,
    };
    this.#startTimers = [clock.after(FAILSAFE_MS, () => this.#set({ loading: false }))];
    if (cached)
      this.#startTimers.push(clock.after(cached.expiresAt - clock.now(), () => this.forgetCachedUser()));
    tabs.onNews((news) => this.#hear(news));
  }

  get state(): SessionState {
    return this.#state;
  }

  get token(): string | null {
    return this.#token;
  }

  /**
   * The live cursor of the session's start: resumed from there, the socket reports changes that the first
   * reads have missed. It is returned once, since later reads have no known relation to it.
   */
  takeLiveCursor(): string {
    const cursor = this.#liveCursor;
    this.#liveCursor = '';
    return cursor;
  }

  /** The state of the refresh backoff, for developers. */
  get backoff(): { failures: number; blockedUntil: number } {
    return this.#refreshes.backoff;
  }

  /** Replaces the token by an expired one, for developers: the next call has to renew it. */
  expireToken(): void {
    if (this.#token) this.#token = expired(this.#token, this.#parts.clock.now());
  }

  /** Whether a token existed, also before a reload. */
  get hadSession(): boolean {
    return this.#token !== null || this.#parts.cache.hadSession;
  }

  subscribe = (listener: () => void): (() => void) => add(this.#listeners, listener);

  /** Called with every new token: the live socket authenticates again with it. */
  onToken(listener: (token: string) => void): () => void {
    return add(this.#tokenListeners, listener);
  }

  /** Called when a user is signed in after there was none. */
  onSignIn(listener: () => void): () => void {
    return add(this.#signInListeners, listener);
  }

  /** Called when the session ends, before the screens are. */
  onEnd(listener: (end: SessionEnd, hadSession: boolean) => void): () => void {
    return add(this.#endListeners, listener);
  }

  /** Tries one silent refresh; resolves when the session is known, never rejects. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** The token to send: after the start has decided whether there is one, and after a renewal that runs. */
  async readyToken(): Promise<string | null> {
    if (this.#queue) await this.#queue;
    else if (!this.#token) await this.start();
    // Without an answer the call is sent all the same, and its result decides.
    else if (this.#refreshes.running || this.#timetable.tokenExpired)
      await this.renew().catch(() => undefined);
    return this.#token;
  }

  signIn(email: string, password: string): Promise<User> {
    return this.#begin(async () => {
      const grant = await this.#parts.door.login(email, password);
      return { grant, user: userFromSignIn(email, grant) };
    });
  }

  /** Signs in with the result of a provider's flow. */
  signInWithProvider(exchange: () => Promise<Grant>): Promise<User> {
    return this.#begin(async () => {
      const grant = await exchange();
      return { grant, user: await userFromToken(grant, 'google', this.#parts.door.me) };
    });
  }

  /** Ends the session here at once; rejects if the server is out of reach. */
  signOut(): Promise<void> {
    return this.#leave('signedOut');
  }

  /** Sends a request that also ends this session. A 401 before its answer is then no expiry. */
  async endOnPurpose(request: () => Promise<unknown>): Promise<void> {
    this.#endAsked = true;
    try {
      await request();
    } finally {
      this.#endAsked = false;
    }
  }

  /** Ends a session that is about to expire, so that the user signs in again and continues. */
  signInAgain(): Promise<void> {
    return this.#leave('again');
  }

  /**
   * After a 401: the token to try again with, or null when the session is over.
   * A token newer than the refused one is good enough, if it is the same person's.
   */
  async renewAfterRefusal(refused: string | null): Promise<string | null> {
    if (!sameBearer(refused, this.#token)) return null;
    if (this.#token && this.#token !== refused) return this.#token;
    const { user, cachedUser, complete } = this.#state;
    if (complete && !user && !cachedUser) return this.#giveUp();
    this.#queue ??= this.#renewOrEnd().finally(() => {
      this.#queue = null;
    });
    return this.#queue;
  }

  /** Exchanges the refresh cookie for a new token. */
  async renew(): Promise<string> {
    const epoch = this.#epoch;
    return this.#refreshing(async () => {
      const renewed = await this.#refreshes.run();
      if (epoch === this.#epoch && renewed.grant.token !== this.#token) this.#goOn(renewed);
      return renewed.grant.token;
    });
  }

  /** Reads the user's memberships, which may have changed since the token was issued. */
  async reloadBusinesses(): Promise<void> {
    const token = await this.readyToken();
    const epoch = this.#epoch;
    if (!token) return;
    const { businessIds = [] } = await this.#parts.door.myBusinesses(token);
    const { user } = this.#state;
    if (epoch !== this.#epoch || !user || businessIds.join() === user.businessIds.join()) return;
    const moved = { ...user, businessIds };
    this.#parts.cache.keep(moved, this.#parts.clock.now());
    this.#set({ user: moved, cachedUser: moved });
  }

  /** Removes the cached user: the protected route gave up, or the cache is too old. */
  forgetCachedUser(): void {
    if (this.#state.user) return;
    this.#parts.cache.dropUser();
    this.#set({ cachedUser: null });
  }

  async #start(): Promise<void> {
    const { clock, isRefusal } = this.#parts;
    this.#startTimers.push(
      clock.after(STILL_REFRESHING_MS, () => this.#refreshes.running && this.#set({ loading: false })),
    );
    try {
      if (!this.#state.user && this.#refreshes.allowed) await this.renew();
    } catch (error) {
      if (isRefusal(error)) this.forgetCachedUser();
    } finally {
      this.#set({ loading: false, complete: true });
    }
  }

  async #begin(ask: () => Promise<Renewed>): Promise<User> {
    // A late answer to the logout would remove the new cookies.
    await this.#leaving;
    const begun = await this.#parts.tabs.alone(ask);
    this.#epoch += 1;
    this.#refreshes.reset();
    this.#started ??= Promise.resolve();
    if (this.#state.user) this.#goOn(begun);
    else this.#accept(begun);
    this.#parts.tabs.tell({ kind: 'signedIn' });
    return begun.user;
  }

  async #leave(end: 'signedOut' | 'again'): Promise<void> {
    const { door, tabs } = this.#parts;
    const token = this.#token;
    // The data leaves the screen before the server answers.
    if (this.#state.ended === null) this.#end(end);
    tabs.tell({ kind: 'ended', end });
    const told = tabs.alone(() => door.logout(token));
    this.#leaving = told.catch(() => undefined);
    await told;
  }

  #hear(news: News): void {
    if (news.kind === 'ended') this.#end(news.end, 'elsewhere');
    // A failure here costs nothing: the next refused call decides.
    else this.#followOtherTab().catch(() => undefined);
  }

  /** Another tab signed in: the cookies are that session's now. */
  async #followOtherTab(): Promise<void> {
    this.#epoch += 1;
    const epoch = this.#epoch;
    this.#refreshes.reset();
    await this.#refreshing(async () => {
      const renewed = await this.#refreshes.runAnew();
      if (epoch === this.#epoch) this.#goOn(renewed);
    });
  }

  /** Continues as the user of the cookies. If that is another user, the session ends as `replaced`. */
  #goOn(renewed: Renewed): void {
    const { cache, clock } = this.#parts;
    const before = this.#state.user ?? this.#state.cachedUser;
    const now = { user: renewed.user, token: renewed.grant.token };
    if (before && !samePerson({ user: before, token: this.#token }, now)) {
      // The page that begins anew begins with who it is now.
      cache.keep(renewed.user, clock.now());
      this.#end('replaced', 'elsewhere');
    } else {
      this.#accept(renewed);
    }
  }

  async #renewOrEnd(): Promise<string | null> {
    const epoch = this.#epoch;
    try {
      await this.renew();
      return epoch === this.#epoch ? this.#token : null;
    } catch {
      return epoch === this.#epoch ? this.#giveUp() : null;
    }
  }

  /** What comes of a refresh is known before it stops running: no screen sees the gap between. */
  async #refreshing<T>(refresh: () => Promise<T>): Promise<T> {
    this.#set({ refreshing: true });
    try {
      return await refresh();
    } finally {
      this.#set({ refreshing: this.#refreshes.running });
    }
  }

  #accept({ grant, user }: Renewed): void {
    const { cache, clock } = this.#parts;
    const signsIn = this.#state.user === null;
    this.#token = grant.token;
    if (signsIn) this.#liveCursor = grant.liveCursor ?? '';
    cache.keep(user, clock.now());
    this.#stopTimers();
    this.#set({ user, cachedUser: user, loading: false, complete: true, ended: null, endingAt: null });
    this.#timetable.follow(grant);
    if (signsIn) for (const listener of this.#signInListeners) listener();
    for (const listener of this.#tokenListeners) listener(grant.token);
  }

  #giveUp(): null {
    if (this.#state.ended === null) this.#end(this.#endAsked ? 'signedOut' : 'expired');
    return null;
  }

  #end(end: SessionEnd, where: 'here' | 'elsewhere' = 'here'): void {
    const hadSession = this.hadSession;
    this.#epoch += 1;
    this.#token = null;
    this.#liveCursor = '';
    this.#stopTimers();
    // All tabs share the cache: the one where it happened has seen to it.
    if (where === 'here') this.#parts.cache.clear();
    for (const listener of this.#endListeners) listener(end, hadSession);
    this.#set({ user: null, cachedUser: null, loading: false, complete: true, ended: end, endingAt: null });
  }

  #stopTimers(): void {
    this.#timetable.stop();
    for (const cancel of this.#startTimers.splice(0)) cancel();
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
