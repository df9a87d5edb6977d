/** A dialog that is open, in the middle of the page or along its right edge. */
export type Modal = { element: HTMLElement; place: 'middle' | 'right' };

/** How wide one along the right edge is, on screens that are wider. */
export const DRAWER_WIDTH = '28rem';

/** Dialogs that are open, the last in front: the rest of the page takes no press meanwhile. */
export class Modals {
  readonly #listeners = new Set<() => void>();
  #open: readonly Modal[] = [];

  /** The one in front; none while the page itself can be used. */
  get front(): Modal | undefined {
    return this.#open.at(-1);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** A dialog opens in front of all others; returns what says that it is closed. */
  opened(element: HTMLElement, place: Modal['place'] = 'middle'): () => void {
    this.#set([...this.#open, { element, place }]);
    return () => this.#set(this.#open.filter((other) => other.element !== element));
  }

  #set(open: readonly Modal[]): void {
    this.#open = open;
    for (const listener of this.#listeners) listener();
  }
}

/** Of the page. */
export const modals = new Modals();
