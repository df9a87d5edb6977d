/**
 * The invitation somebody is about to accept. It is in no address, so it waits
 * here while its person signs in, for as long as the tab lives.
 */
export class PendingInvitation {
  static readonly #KEY = 'invitation';
  readonly #storage: Storage | undefined;
  #token = '';

  constructor(storage: Storage | undefined) {
    this.#storage = storage;
  }

  get token(): string {
    return this.#token || (this.#try((storage) => storage.getItem(PendingInvitation.#KEY)) ?? '');
  }

  keep(token: string): void {
    this.#token = token;
    this.#try((storage) => storage.setItem(PendingInvitation.#KEY, token));
  }

  drop(): void {
    this.#token = '';
    this.#try((storage) => storage.removeItem(PendingInvitation.#KEY));
  }

  /** Storage refused means the invitation lasts as long as the page. */
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
export const pendingInvitation = new PendingInvitation(tabStorage());
