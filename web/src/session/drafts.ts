import { sameAddress } from './person';

/** What a form holds. */
export type Values = Record<string, unknown>;

type Draft = { person: string; values: Values };

const PREFIX = 'draft:';
/** Fields of such names are never kept. */
const SECRET = /password|secret|token|key$|^code$|^pin$/i;

/**
 * Half-filled forms, kept over the end of a session for the person who filled
 * them: in this tab only, and never a password.
 */
export class Drafts {
  readonly #storage: Storage | undefined;
  readonly #open = new Map<string, () => Values | null>();

  constructor(storage: Storage | undefined) {
    this.#storage = storage;
  }

  /** Follows a form while it is on the screen; `read` gives null while nothing was filled in. */
  follow(form: string, read: () => Values | null): () => void {
    this.#open.set(form, read);
    return () => {
      if (this.#open.get(form) === read) this.#open.delete(form);
    };
  }

  /** Keeps what the forms on the screen hold, for the person of this address. */
  keep(person: string): void {
    for (const [form, read] of this.#open) {
      const values = read();
      if (values) this.#write(form, { person, values });
    }
  }

  /** What was kept of a form, once. Another person's is thrown away unread. */
  take(form: string, person: string): Values | null {
    const draft = this.#read(form);
    return draft && sameAddress(draft.person, person) ? draft.values : null;
  }

  forget(): void {
    this.#attempt((storage) => {
      for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
    });
  }

  #write(form: string, draft: Draft): void {
    const text = JSON.stringify(draft, (name, value) => (SECRET.test(name) ? undefined : value));
    this.#attempt((storage) => storage.setItem(PREFIX + form, text));
  }

  #read(form: string): Draft | null {
    return (
      this.#attempt((storage) => {
        const text = storage.getItem(PREFIX + form);
        storage.removeItem(PREFIX + form);
        return text ? (JSON.parse(text) as Draft) : null;
      }) ?? null
    );
  }

  #attempt<T>(use: (storage: Storage) => T): T | undefined {
    try {
      return this.#storage && use(this.#storage);
    } catch {
      return undefined;
    }
  }
}
