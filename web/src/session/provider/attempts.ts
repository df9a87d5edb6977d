import type { Secrets } from './secrets';

/** What a way through the provider is for. */
export type Purpose = 'signIn' | 'connect';

/** What the page remembers of a way through the provider. */
export type Attempt = {
  state: string | null;
  verifier: string | null;
  purpose: Purpose;
  /** The path the person wanted before they were asked to sign in. */
  wanted: string | null;
};

const STATE = 'oauthState';
const VERIFIER = 'oauthCodeVerifier';
const PURPOSE = 'oauthPurpose';
const WANTED = 'oauthWanted';

/** Keeps one attempt over the way to the provider and back, in this tab only. */
export class Attempts {
  readonly #storage: Storage | undefined;

  constructor(storage: Storage | undefined) {
    this.#storage = storage;
  }

  /** Remembers an attempt; false when the browser keeps nothing. */
  begin(purpose: Purpose, wanted: string | null, secrets?: Secrets): boolean {
    this.forget();
    try {
      if (!this.#storage) return false;
      this.#storage.setItem(PURPOSE, purpose);
      if (wanted) this.#storage.setItem(WANTED, wanted);
      if (secrets) {
        this.#storage.setItem(STATE, secrets.state);
        this.#storage.setItem(VERIFIER, secrets.verifier);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Returns and removes the stored attempt, so that a return is accepted only once. */
  take(): Attempt {
    const attempt: Attempt = {
      state: this.#read(STATE),
      verifier: this.#read(VERIFIER),
      purpose: this.#read(PURPOSE) === 'connect' ? 'connect' : 'signIn',
      wanted: this.#read(WANTED),
    };
    this.forget();
    return attempt;
  }

  forget(): void {
    try {
      for (const key of [STATE, VERIFIER, PURPOSE, WANTED]) this.#storage?.removeItem(key);
    } catch {
      // Storage refused: nothing was kept.
    }
  }

  #read(key: string): string | null {
    try {
      return this.#storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  }
}
