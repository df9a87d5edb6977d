import type { Clock } from './clock';

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

  /** How many failed in a row, and until when no other is tried; 0 when one may be. */
  get backoff(): { failures: number; blockedUntil: number } {
    return { failures: this.#failures, blockedUntil: this.allowed ? 0 : this.#blockedUntil };
  }

  /** Everybody who asks while a refresh runs gets that one's result. */
  run(): Promise<T> {
    if (this.#running) return this.#running;
    if (!this.allowed) return Promise.reject(new RefreshBackoffError());
    this.#running = this.#attempt().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** One that begins after now: what runs already may answer for a session that is no more. */
  async runAnew(): Promise<T> {
    await this.#running?.catch(() => undefined);
    return this.run();
  }

  /** A sign-in proves the session good again. */
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
