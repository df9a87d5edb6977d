/**
 * The token of a mailed link that is about to be used. It is in no address, so
 * it is kept here while the user signs in, for as long as the tab lives.
 */
export class Pending {
  readonly #key: string;
  readonly #storage: Storage | undefined;
  #token = '';

  constructor(key: string, storage: Storage | undefined) {
    this.#key = key;
    this.#storage = storage;
  }

  get token(): string {
    return this.#token || (this.#try((storage) => storage.getItem(this.#key)) ?? '');
  }

  keep(token: string): void {
    this.#token = token;
    this.#try((storage) => storage.setItem(this.#key, token));
  }

  drop(): void {
    this.#token = '';
    this.#try((storage) => storage.removeItem(this.#key));
  }

  /** Storage refused means the token lasts as long as the page. */
  #try<T>(use: (storage: Storage) => T): T | undefined {
    try {
      return this.#storage && use(this.#storage);
    } catch {
      return undefined;
    }
  }
}

function tabStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}

/** This tab's invitation. */
export const pendingInvitation = new Pending('invitation', tabStorage());

/** The address this tab is to confirm. */
export const pendingConfirmation = new Pending('confirmation', tabStorage());
