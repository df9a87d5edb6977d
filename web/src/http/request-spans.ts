import type { Verb } from './verb';

/** A request that is over, with the trace it was sent under. */
export type RequestSpan = {
  traceparent: string;
  method: Verb;
  /** The path's template, which names no record. */
  route: string;
  /** 0 without an answer. */
  status: number;
  /** On the page's own clock, as `performance.now()` tells it. */
  sentAt: number;
  durationMs: number;
};

/** Kept until they are reported; of more, the earliest are lost. */
const MOST_KEPT = 100;

/** Gives requests traces of their own, and keeps how long each took. */
export class RequestSpans {
  #kept: RequestSpan[] = [];

  begin(method: Verb, route: string): { traceparent: string; end: (status: number) => void } {
    const [traceId, spanId] = [hex(), hex().slice(0, 16)];
    // The door decides whether the trace is kept.
    const traceparent = `00-${traceId}-${spanId}-01`;
    const sentAt = performance.now();
    const end = (status: number) => {
      this.#kept.push({ traceparent, method, route, status, sentAt, durationMs: performance.now() - sentAt });
      if (this.#kept.length > MOST_KEPT) this.#kept.shift();
    };
    return { traceparent, end };
  }

  /** What is over and was not taken yet. */
  take(): RequestSpan[] {
    const taken = this.#kept;
    this.#kept = [];
    return taken;
  }
}

const hex = () => crypto.randomUUID().replaceAll('-', '');
