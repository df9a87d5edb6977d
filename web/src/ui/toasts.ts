export type ToastTone = 'good' | 'bad' | 'info';
/** What can be done about it: one press, in one or two words. */
export type ToastAction = { label: string; run: () => void };
export type Toast = { id: number; tone: ToastTone; text: string; action?: ToastAction; other?: ToastAction };

type Timers = { set(callback: () => void, ms: number): unknown; clear(id: unknown): void };

const browserTimers: Timers = {
  set: (callback, ms) => setTimeout(callback, ms),
  clear: (id) => clearTimeout(id as ReturnType<typeof setTimeout>),
};

/** A place toasts appear in: how many at once, and for how long. The oldest makes room. */
export class Toasts {
  readonly #limit: number;
  readonly #durationMs: number;
  readonly #timers: Timers;
  readonly #running = new Map<number, unknown>();
  readonly #listeners = new Set<() => void>();
  #list: readonly Toast[] = [];
  #next = 1;

  constructor(limit: number, durationMs: number, timers: Timers = browserTimers) {
    this.#limit = limit;
    this.#durationMs = durationMs;
    this.#timers = timers;
  }

  get list(): readonly Toast[] {
    return this.#list;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  show(tone: ToastTone, text: string, action?: ToastAction, other?: ToastAction): void {
    const toast: Toast = {
      id: this.#next++,
      tone,
      text,
      ...(action ? { action } : {}),
      ...(other ? { other } : {}),
    };
    for (const gone of this.#list.slice(0, Math.max(0, this.#list.length + 1 - this.#limit)))
      this.#stop(gone.id);
    this.#set([...this.#list, toast].slice(-this.#limit));
    this.resume(toast.id);
  }

  dismiss(id: number): void {
    this.#stop(id);
    this.#set(this.#list.filter((toast) => toast.id !== id));
  }

  /** Takes all of them away. */
  clear(): void {
    for (const { id } of this.#list) this.#stop(id);
    this.#set([]);
  }

  /** Keeps a toast while the pointer is on it. */
  hold(id: number): void {
    this.#stop(id);
  }

  /** A toast is no longer where it may have been kept. */
  release(id: number): void {
    const isKept = !this.#running.has(id) && this.#list.some((toast) => toast.id === id);
    if (isKept) this.resume(id);
  }

  resume(id: number): void {
    this.#stop(id);
    this.#running.set(
      id,
      this.#timers.set(() => this.dismiss(id), this.#durationMs),
    );
  }

  #stop(id: number): void {
    if (this.#running.has(id)) this.#timers.clear(this.#running.get(id));
    this.#running.delete(id);
  }

  #set(list: readonly Toast[]): void {
    this.#list = list;
    for (const listener of this.#listeners) listener();
  }
}

/** What the session says: three at most, 4 s each, bottom right. */
export const sessionToasts = new Toasts(3, 4000);
/** What the screens say: one at a time, 5 s, top right. */
export const toasts = new Toasts(1, 5000);
