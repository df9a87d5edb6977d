import { lifeOf } from './claims';
import type { Clock } from './clock';
import type { Grant } from './user';

const LEAST_RENEWAL_WAIT_MS = 30_000;
/** How long before its end a session's person is told. */
export const NOTICE_MS = 30 * 60_000;

type Parts = {
  clock: Clock;
  /** How long before its end a token is renewed. */
  renewalThresholdMs: number;
  renew: () => void;
  /** The session ends for good at this instant, half an hour ahead or less. */
  ending: (at: number) => void;
};

/** What falls due while a session lasts: the token's renewal, and word of the session's end. */
export class Timetable {
  readonly #parts: Parts;
  #cancels: (() => void)[] = [];
  #tokenEndsAt = Number.POSITIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The token is past its time; the door would only refuse it. */
  get tokenExpired(): boolean {
    return this.#parts.clock.now() >= this.#tokenEndsAt;
  }

  /** Follows a grant that has just been given, and no other any more. */
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
