import type { Clock } from '../time/clock';
import { lifeOf } from './claims';
import type { Grant } from './user';

const LEAST_RENEWAL_WAIT_MS = 30_000;
/** How long before its end the session's end is announced. */
export const NOTICE_MS = 30 * 60_000;

type Parts = {
  clock: Clock;
  /** How long before its end a token is renewed. */
  renewalThresholdMs: number;
  renew: () => void;
  /** The session ends for good at this instant, half an hour ahead or less. */
  ending: (at: number) => void;
};

/** The timers of a session: the token's renewal, and the note about the session's end. */
export class Timetable {
  readonly #parts: Parts;
  #cancels: (() => void)[] = [];
  #tokenEndsAt = Number.POSITIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether the token has expired. */
  get tokenExpired(): boolean {
    return this.#parts.clock.now() >= this.#tokenEndsAt;
  }

  /** Sets the timers for a new grant, and cancels the earlier ones. */
  follow(grant: Grant): void {
    this.stop();
    this.#followToken(grant.token);
    if (grant.sessionSecondsLeft !== undefined) this.#followSession(grant.sessionSecondsLeft * 1000);
  }

  stop(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
    this.#tokenEndsAt = Number.POSITIVE_INFINITY;
  }

  #followToken(token: string): void {
    const { clock, renewalThresholdMs, renew } = this.#parts;
    const life = lifeOf(token, clock.now());
    if (life === null) return;
    this.#tokenEndsAt = clock.now() + life;
    this.#cancels.push(clock.after(Math.max(life - renewalThresholdMs, LEAST_RENEWAL_WAIT_MS), renew));
  }

  #followSession(left: number): void {
    const { clock, ending } = this.#parts;
    const at = clock.now() + left;
    this.#cancels.push(clock.after(Math.max(left - NOTICE_MS, 0), () => ending(at)));
  }
}
