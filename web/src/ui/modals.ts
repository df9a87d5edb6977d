/** Dialogs that are open, the last in front: the rest of the page takes no press meanwhile. */
export class Modals {
  readonly #listeners = new Set<() => void>();
  #open: readonly HTMLElement[] = [];

  /** The one in front; none while the page itself can be used. */
  get front(): HTMLElement | undefined {
    return this.#open.at(-1);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** A dialog opens in front of all others; returns what says that it is closed. */
  opened(dialog: HTMLElement): () => void {
    this.#set([...this.#open, dialog]);
    return () => this.#set(this.#open.filter((other) => other !== dialog));
  }

  #set(open: readonly HTMLElement[]): void {
    this.#open = open;
    for (const listener of this.#listeners) listener();
  }
}

/** Of the page. */
export const modals = new Modals();
