import type { Clock } from '../time/clock';

/**
 * Runs a task at once, and again after a pause when it was asked for meanwhile.
 * A call being spoken changes many times a second; reading it that often would
 * cancel each read with the next.
 */
export class Coalesce {
  readonly #clock: Clock;
  readonly #pauseMs: number;
  /** Keys in their pause, and what to run after it. */
  readonly #pausing = new Map<string, (() => void) | null>();

  constructor(clock: Clock, pauseMs: number) {
    this.#clock = clock;
    this.#pauseMs = pauseMs;
  }

  run(key: string, task: () => void): void {
    if (this.#pausing.has(key)) {
      this.#pausing.set(key, task);
      return;
    }
    this.#pausing.set(key, null);
    task();
    this.#clock.after(this.#pauseMs, () => {
      const again = this.#pausing.get(key);
      this.#pausing.delete(key);
      if (again) this.run(key, again);
    });
  }
}
