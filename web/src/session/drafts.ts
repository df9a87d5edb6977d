import { sameAddress } from './person';

/** What a form holds. */
export type Values = Record<string, unknown>;

type Draft = { person: string; values: Values };

const PREFIX = 'draft:';
/** Fields of such names are never kept. */
const SECRET = /password|secret|token|key$|^code$|^pin$/i;

type OpenForm = { read: () => Values | null; overReload: boolean };

/**
 * Half-filled forms, kept for the person who filled them over the end of a
 * session, and some of them over a reload: in this tab only, and never a password.
 */
export class Drafts {
  readonly #storage: Storage | undefined;
  readonly #open = new Map<string, OpenForm>();

  constructor(storage: Storage | undefined) {
    this.#storage = storage;
  }

  /** Follows a form while it is on the screen; `read` gives null while nothing was filled in. */
  follow(form: string, read: () => Values | null, overReload = false): () => void {
    const open = { read, overReload };
    this.#open.set(form, open);
    return () => {
      if (this.#open.get(form) === open) this.#open.delete(form);
    };
  }

  /** Keeps what the forms on the screen hold, for the person of this address. */
  keep(person: string): void {
    this.#keep(person, () => true);
  }

  /** The page may be gone for good from here on: keeps what may be wanted after a reload. */
  keepOverReload(person: string): void {
    this.#keep(person, ({ overReload }) => overReload);
  }

  /** The page was not reloaded: its forms hold what was kept of them, and may yet be saved or left. */
  dropOfOpenForms(): void {
    this.#attempt((storage) => {
      for (const form of this.#open.keys()) storage.removeItem(PREFIX + form);
    });
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

  #keep(person: string, isKept: (open: OpenForm) => boolean): void {
    for (const [form, open] of this.#open) {
      const values = isKept(open) ? open.read() : null;
      if (values) this.#write(form, { person, values });
    }
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
