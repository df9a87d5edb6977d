/** What pages note, with the words of the contract. */
type PageEvent = 'PAGE_OPENED' | 'LIST_FILTERED' | 'FILE_EXPORTED';

type Noted = { type: string; schemaVersion: number; page: string; detail: string; ageMs: number };
export type NotedEvents = { businessId: string; events: Noted[]; tabId: string };

type Parts = {
  tabId: string;
  /** Whether there is a session, whose person acted. */
  signedIn: () => boolean;
  now: () => number;
  send: (events: NotedEvents) => Promise<unknown>;
};

type Kept = { businessId: string; type: PageEvent; page: string; detail: string; at: number };

/** The service takes no more at once, and nothing that is older. */
const MOST = 40;
const OLDEST_MS = 10 * 60_000;
/** Of what each type says. */
const SCHEMA_VERSION = 1;

/** Collects what people do on this page, and sends it by business. What does not arrive is lost. */
export class ProductEvents {
  readonly #parts: Parts;
  #kept: Kept[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Notes something that the person did in a business; `page` is the template of an address. */
  note(type: PageEvent, businessId: string, page: string, detail = ''): void {
    if (this.#kept.length === MOST) this.#kept.shift();
    this.#kept.push({ type, businessId, page, detail, at: this.#parts.now() });
  }

  /** Sends what there is; without a session it stays. */
  async flush(): Promise<void> {
    const { tabId, signedIn, now, send } = this.#parts;
    if (!signedIn()) return;
    const kept = this.#kept.filter(({ at }) => now() - at <= OLDEST_MS);
    this.#kept = [];
    for (const businessId of new Set(kept.map((event) => event.businessId))) {
      const events = kept
        .filter((event) => event.businessId === businessId)
        .map(({ type, page, detail, at }) => ({
          type: `PRODUCT_EVENT_TYPE_${type}`,
          schemaVersion: SCHEMA_VERSION,
          page,
          detail,
          ageMs: Math.round(now() - at),
        }));
      await send({ businessId, events, tabId }).catch(() => undefined);
    }
  }
}
