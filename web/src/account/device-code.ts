import { messageOf } from '../http/errors';
import type { Clock } from '../time/clock';

/** The first mail needs this long to arrive. */
const RESEND_AFTER_MS = 30_000;
export const CODE_LENGTH = 6;

export type DeviceCodeState = {
  phase: 'mailing' | 'entering' | 'confirming' | 'trusted';
  /** Why the mail was not sent or the code not taken; empty while nothing went wrong. */
  problem: string;
  /** Seconds until another mail may be asked for. */
  wait: number;
};

type Parts = {
  mail: () => Promise<unknown>;
  confirm: (code: string) => Promise<unknown>;
  clock: Clock;
};

/** The way from an untrusted device to a trusted one: a mailed code, entered in time. */
export class DeviceCode {
  readonly #parts: Parts;
  readonly #listeners = new Set<() => void>();
  #state: DeviceCodeState = { phase: 'mailing', problem: '', wait: 0 };
  #resendAt = 0;
  #cancelTick: (() => void) | null = null;
  #begun = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get state(): DeviceCodeState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Mails the first code; called again it does nothing. */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    void this.#mail();
  }

  resend(): void {
    if (this.#state.phase === 'entering' && this.#state.wait === 0) void this.#mail();
  }

  async confirm(typed: string): Promise<void> {
    if (this.#state.phase !== 'entering') return;
    const code = digitsOf(typed);
    if (code.length < CODE_LENGTH) {
      this.#set({ problem: `Enter all ${CODE_LENGTH} digits.` });
      return;
    }
    this.#set({ phase: 'confirming', problem: '' });
    try {
      await this.#parts.confirm(code);
      this.stop();
      this.#set({ phase: 'trusted' });
    } catch (error) {
      this.#set({ phase: 'entering', problem: messageOf(error, 'The code could not be checked.') });
    }
  }

  /** Stops the countdown. */
  stop(): void {
    this.#cancelTick?.();
    this.#cancelTick = null;
  }

  async #mail(): Promise<void> {
    this.#set({ phase: 'mailing', problem: '' });
    try {
      await this.#parts.mail();
      this.#resendAt = this.#parts.clock.now() + RESEND_AFTER_MS;
      this.#set({ phase: 'entering' });
      this.#tick();
    } catch (error) {
      this.#set({ phase: 'entering', problem: messageOf(error, 'The code could not be sent.'), wait: 0 });
    }
  }

  #tick(): void {
    this.stop();
    const wait = Math.max(0, Math.ceil((this.#resendAt - this.#parts.clock.now()) / 1000));
    this.#set({ wait });
    if (wait > 0) this.#cancelTick = this.#parts.clock.after(1000, () => this.#tick());
  }

  #set(change: Partial<DeviceCodeState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** What is left of "123 456" or of a whole pasted line: its first six digits. */
export function digitsOf(typed: string): string {
  return typed.replace(/\D/g, '').slice(0, CODE_LENGTH);
}
