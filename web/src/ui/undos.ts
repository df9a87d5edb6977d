import { type ToastAction, type Toasts, type ToastTone, toasts } from './toasts';

/** What became of an attempt to take a change back, in words. */
export type Undone = {
  tone: ToastTone;
  text: string;
  /** The attempt decided nothing: the change can still be taken back. */
  undecided?: boolean;
};
/** The idempotency key is the same for every attempt to take one change back, so that it takes effect once. */
export type TakeBack = (idempotencyKey: string) => Promise<Undone>;
type Step = { takeBack: TakeBack; idempotencyKey: string; at: number; key: string };

/** A person may have gone on to other work in between, and still knows what they meant. */
const KEPT_MS = 10 * 60_000;
const MOST = 20;

/** The changes that this tab made and can take back, each once. */
export class Undos {
  readonly #toasts: Pick<Toasts, 'show'>;
  readonly #now: () => number;
  #steps: Step[] = [];
  /** One after the other: the second may depend on what the first one frees. */
  #queue: Promise<void> = Promise.resolve();

  constructor(toasts: Pick<Toasts, 'show'>, now: () => number = Date.now) {
    this.#toasts = toasts;
    this.#now = now;
  }

  /**
   * Remembers how to take a change back, by the key that others know it by; returns the action of the toast that
   * tells of the change.
   */
  push(takeBack: TakeBack, key = ''): ToastAction {
    return this.#action('Undo', this.#add(takeBack, key));
  }

  /** Takes back one change, whether or not this tab made it, and only once. */
  undoOne(key: string, takeBack: TakeBack): Promise<void> {
    return this.#next(() =>
      this.#take(this.#steps.find((step) => step.key === key) ?? this.#add(takeBack, key)),
    );
  }

  /** Takes back the latest change that was not taken back yet. */
  undo = (): Promise<void> => this.#next(() => this.#take(this.#latest()));

  /** Forgets everything, for the next person at this screen. */
  clear(): void {
    this.#steps = [];
  }

  #add(takeBack: TakeBack, key: string): Step {
    const step = { takeBack, idempotencyKey: crypto.randomUUID(), at: this.#now(), key };
    this.#steps = [...this.#steps, step].slice(-MOST);
    return step;
  }

  #action(label: string, step: Step): ToastAction {
    return { label, run: () => void this.#next(() => this.#take(step)) };
  }

  #latest(): Step | undefined {
    this.#steps = this.#steps.filter(({ at }) => this.#now() - at < KEPT_MS);
    return this.#steps.at(-1);
  }

  #next(run: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(run);
    return this.#queue;
  }

  async #take(step: Step | undefined): Promise<void> {
    if (!step) {
      this.#toasts.show('info', 'Nothing to undo from the last ten minutes.');
      return;
    }
    if (!this.#steps.includes(step)) return;
    const { tone, text, undecided = false } = await step.takeBack(step.idempotencyKey);
    // After what was not decided, the step stays the latest: an undo does not skip it for the change before.
    if (!undecided) this.#steps = this.#steps.filter((other) => other !== step);
    const mayRepeat = this.#steps.includes(step);
    this.#toasts.show(tone, text, mayRepeat ? this.#action('Try again', step) : undefined);
  }
}

/** Of all screens. */
export const undos = new Undos(toasts);
