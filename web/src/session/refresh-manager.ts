import type { Clock } from '../time/clock';

const FAILURES_BEFORE_BACKOFF = 3;
const BASE_WAIT_MS = 2000;

/** Why a refresh was not even tried. */
export class RefreshBackoffError extends Error {
  override readonly name = 'RefreshBackoffError';
  constructor() {
    super('Refresh backoff due to consecutive failures');
  }
}

/** Runs one refresh at a time, and after three failures in a row waits, longer each time. */
export class RefreshManager<T> {
  readonly #clock: Clock;
  readonly #refresh: () => Promise<T>;
  #running: Promise<T> | null = null;
  #failures = 0;
  #blockedUntil = 0;

  constructor(clock: Clock, refresh: () => Promise<T>) {
    this.#clock = clock;
    this.#refresh = refresh;
  }

  get running(): boolean {
    return this.#running !== null;
  }

  get allowed(): boolean {
    return this.#clock.now() >= this.#blockedUntil;
  }

  /** The failures in a row, and until when no refresh is tried; 0 if one may be. */
  get backoff(): { failures: number; blockedUntil: number } {
    return { failures: this.#failures, blockedUntil: this.allowed ? 0 : this.#blockedUntil };
  }

  /** Callers during a running refresh share its result. */
  run(): Promise<T> {
    if (this.#running) return this.#running;
    if (!this.allowed) return Promise.reject(new RefreshBackoffError());
    this.#running = this.#attempt().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** A refresh that begins after now: a running one may answer for a session that has ended. */
  async runAnew(): Promise<T> {
    await this.#running?.catch(() => undefined);
    return this.run();
  }

  /** A sign-in resets the backoff. */
  reset(): void {
    this.#failures = 0;
    this.#blockedUntil = 0;
  }

  async #attempt(): Promise<T> {
    try {
      const result = await this.#refresh();
      this.reset();
      return result;
    } catch (error) {
      this.#failures += 1;
      const beyond = this.#failures - FAILURES_BEFORE_BACKOFF;
      if (beyond >= 0) this.#blockedUntil = this.#clock.now() + BASE_WAIT_MS * 2 ** beyond;
      throw error;
    }
  }
}
