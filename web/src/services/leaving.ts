type Timers = { set(callback: () => void, ms: number): unknown; clear(id: unknown): void };

const browserTimers: Timers = {
  set: (callback, ms) => setTimeout(callback, ms),
  clear: (id) => clearTimeout(id as ReturnType<typeof setTimeout>),
};

/** How long a record that is being taken off its list can be kept after all. */
export const KEEP_MS = 8000;

/**
 * Records that are being removed from their list. The contract can't restore
 * one, and a new one would lack its history: so the call waits until the time to
 * undo it is over.
 */
export class Leaving {
  readonly #send: (id: string) => void;
  readonly #timers: Timers;
  readonly #waiting = new Map<string, unknown>();
  readonly #listeners = new Set<() => void>();
  #ids: readonly string[] = [];

  constructor(send: (id: string) => void, timers: Timers = browserTimers) {
    this.#send = send;
    this.#timers = timers;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  start(id: string): void {
    if (this.#waiting.has(id)) return;
    this.#waiting.set(
      id,
      this.#timers.set(() => this.#go(id), KEEP_MS),
    );
    this.#tell();
  }

  /** Undone: nothing was sent. */
  keep(id: string): void {
    this.#timers.clear(this.#waiting.get(id));
    this.#waiting.delete(id);
    this.#tell();
  }

  /** The page is left: what waits goes now. */
  flush(): void {
    for (const id of [...this.#waiting.keys()]) this.#go(id);
  }

  #go(id: string): void {
    this.#timers.clear(this.#waiting.get(id));
    this.#waiting.delete(id);
    this.#send(id);
    this.#tell();
  }

  #tell(): void {
    this.#ids = [...this.#waiting.keys()];
    for (const listener of this.#listeners) listener();
  }
}
