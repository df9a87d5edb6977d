import { create, fromJsonString, type MessageInitShape, toJsonString } from '@bufbuild/protobuf';
import { type Changed, ClientFrameSchema, ServerFrameSchema } from '../gen/frontdesk/live/v1/live_pb';
import type { Clock } from '../time/clock';
import { reconnectDelay, restartDelay } from './backoff';
import type { LiveStatus } from './status';

/** The part of a browser's WebSocket this needs. */
export type Wire = {
  send(text: string): void;
  close(code?: number): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
};

export type LiveParts = {
  open: () => Wire;
  clock: Clock;
  random: () => number;
  /** The access token, or null without a session. */
  token: () => string | null;
  /** The cursor of the session's start, if nothing was read before; returned once, and empty without one. */
  beginning: () => string;
  /** Exchanges the refused token; rejects when the session is over. */
  renew: () => Promise<unknown>;
  onChanged: (change: Changed) => void;
  /** Answers from before this instant may be stale: later changes were not reported. */
  onReset: (answeredBefore: number) => void;
  onStatus: (status: LiveStatus) => void;
};

const UNAUTHENTICATED = 4401;
const NOT_A_MEMBER = 4403;
const SERVICE_RESTART = 1012;

/** Keeps one socket open for a set of businesses, and resumes after an interruption. */
export class LiveSocket {
  readonly #parts: LiveParts;
  #wire: Wire | null = null;
  #businessIds: string[] = [];
  #cursor = '';
  #subscribedAt = 0;
  #attempt = 0;
  #status: LiveStatus = 'off';
  /** The first frames are sent: later ones may follow. */
  #greeted = false;
  #cancelWait: (() => void) | null = null;

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  /** Follows these businesses from now on; none at all closes the socket. */
  follow(businessIds: readonly string[]): void {
    const wanted = [...new Set(businessIds)].sort();
    if (wanted.join() === this.#businessIds.join()) return;
    // A cursor proves nothing about a business that was not followed.
    if (wanted.some((id) => !this.#businessIds.includes(id))) this.#cursor = this.#parts.beginning();
    this.#businessIds = wanted;
    if (wanted.length === 0) this.stop();
    else if (this.#greeted) this.#subscribe();
    else if (!this.#wire) this.#connect();
  }

  /** Authenticates again with a renewed token. */
  authenticate(): void {
    const token = this.#parts.token();
    if (!token) return;
    if (this.#greeted) this.#send({ frame: { case: 'authenticate', value: { token } } });
    else if (!this.#wire && this.#businessIds.length > 0) this.reconnectNow();
  }

  /** The network is back: reconnects without the remaining wait. */
  reconnectNow(): void {
    if (this.#status !== 'waiting') return;
    this.#attempt = 0;
    this.#connect();
  }

  stop(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
    this.#businessIds = [];
    this.#cursor = '';
    const wire = this.#wire;
    this.#drop();
    wire?.close(1000);
    this.#report('off');
  }

  #connect(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
    this.#report('connecting');
    const wire = this.#parts.open();
    this.#wire = wire;
    wire.onopen = () => this.#greet();
    wire.onmessage = ({ data }) => this.#receive(String(data));
    wire.onclose = ({ code }) => this.#closed(code);
  }

  #greet(): void {
    const token = this.#parts.token();
    if (token) {
      this.#greeted = true;
      this.#send({ frame: { case: 'authenticate', value: { token } } });
      this.#subscribe();
    } else {
      this.#closed(UNAUTHENTICATED);
    }
  }

  #subscribe(): void {
    const value = { businessIds: this.#businessIds, cursor: this.#cursor };
    this.#subscribedAt = this.#parts.clock.now();
    this.#send({ frame: { case: 'subscribe', value } });
  }

  #receive(text: string): void {
    const { frame } = fromJsonString(ServerFrameSchema, text, { ignoreUnknownFields: true });
    switch (frame.case) {
      case 'ready':
        this.#ready(frame.value.cursor);
        break;
      case 'changed':
        this.#cursor = frame.value.cursor || this.#cursor;
        this.#parts.onChanged(frame.value);
        break;
      case 'reset':
        this.#resetAll();
        break;
    }
  }

  #ready(cursor: string): void {
    // Without a cursor, changes between the first reads and the subscription are not reported.
    const missed = this.#cursor === '';
    this.#cursor = cursor || this.#cursor;
    this.#attempt = 0;
    this.#report('live');
    if (missed) this.#parts.onReset(this.#subscribedAt);
  }

  #closed(code: number): void {
    if (!this.#wire) return;
    const wire = this.#wire;
    this.#drop();
    wire.close();
    if (code === UNAUTHENTICATED || code === NOT_A_MEMBER) {
      // Either way the session tells what is true now: the token, and whose businesses these are.
      this.#report('waiting');
      this.#parts.renew().then(
        () => this.#wait(reconnectDelay(this.#attempt++, this.#parts.random())),
        () => this.stop(),
      );
      if (code === NOT_A_MEMBER) this.#resetAll();
    } else if (code === SERVICE_RESTART) {
      this.#wait(restartDelay(this.#parts.random()));
    } else {
      this.#wait(reconnectDelay(this.#attempt++, this.#parts.random()));
    }
  }

  #resetAll(): void {
    this.#parts.onReset(Number.POSITIVE_INFINITY);
  }

  #wait(ms: number): void {
    if (this.#businessIds.length === 0 || this.#wire) return;
    this.#report('waiting');
    this.#cancelWait?.();
    this.#cancelWait = this.#parts.clock.after(ms, () => this.#connect());
  }

  #drop(): void {
    if (!this.#wire) return;
    this.#wire.onopen = null;
    this.#wire.onmessage = null;
    this.#wire.onclose = null;
    this.#wire = null;
    this.#greeted = false;
  }

  #send(frame: MessageInitShape<typeof ClientFrameSchema>): void {
    this.#wire?.send(toJsonString(ClientFrameSchema, create(ClientFrameSchema, frame)));
  }

  #report(status: LiveStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#parts.onStatus(status);
  }
}
