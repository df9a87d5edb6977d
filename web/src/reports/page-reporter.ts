import type { RequestSpan, RequestSpans } from '../http/request-spans';

/** A web vital, as the `web-vitals` package reports it. */
export type Vital = {
  id: string;
  name: 'CLS' | 'FCP' | 'INP' | 'LCP' | 'TTFB';
  value: number;
  navigationType: string;
  navigationURL?: string;
};

export type PageReport = {
  vitals: { name: Vital['name']; page: string; navigation: 'document' | 'soft'; value: number }[];
  requests: {
    traceparent: string;
    method: string;
    route: string;
    status: number;
    ageMs: number;
    durationMs: number;
  }[];
};

type Parts = {
  spans: Pick<RequestSpans, 'take'> | undefined;
  /** The template of the page at an address. */
  pageAt: (url: string) => string;
  /** Where the document was loaded. */
  loadedFrom: string;
  /** Whether there is a session, which a report belongs to. */
  signedIn: () => boolean;
  now: () => number;
  send: (report: PageReport) => Promise<unknown>;
};

/** The door takes no more at once, and nothing that is older. */
const MOST_VITALS = 40;
const OLDEST_MS = 10 * 60_000;

/** Collects what the page measures, and sends it once there is a session. */
export class PageReporter {
  readonly #parts: Parts;
  readonly #reported = new Set<string>();
  #vitals: PageReport['vitals'] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Keeps a vital; of one that changes later, the first value counts. */
  keep({ id, name, value, navigationType, navigationURL }: Vital): void {
    const soft = navigationType === 'soft-navigation';
    // Within a document there is no first byte to wait for.
    if (this.#reported.has(id) || (soft && name === 'TTFB')) return;
    this.#reported.add(id);
    if (this.#vitals.length === MOST_VITALS) return;
    this.#vitals.push({
      name,
      page: this.#parts.pageAt(navigationURL ?? this.#parts.loadedFrom),
      navigation: soft ? 'soft' : 'document',
      value: Math.round(value * 1000) / 1000,
    });
  }

  /** Sends what there is; without a session it stays. */
  async flush(): Promise<void> {
    const { spans, signedIn, now, send } = this.#parts;
    if (!signedIn()) return;
    const requests = (spans?.take() ?? []).flatMap((span) => asSent(span, now()));
    const vitals = this.#vitals;
    this.#vitals = [];
    if (requests.length === 0 && vitals.length === 0) return;
    // What does not arrive is lost: a page has better things to do.
    await send({ vitals, requests }).catch(() => undefined);
  }
}

function asSent({ sentAt, durationMs, ...span }: RequestSpan, now: number): PageReport['requests'] {
  const age = now - sentAt;
  return age > OLDEST_MS ? [] : [{ ...span, ageMs: Math.round(age), durationMs: Math.round(durationMs) }];
}
