import { vi } from 'vitest';
import { SessionCache } from '../session/cache';
import { type AuthDoor, Session } from '../session/session';
import type { News, Tabs } from '../session/tabs';
import type { Grant } from '../session/user';
import { FakeClock } from './fake-clock';

export const MINUTE = 60_000;

const OLIVIA = 'olivia@salon.test';

/** The error with which a fake server refuses a session. */
export class Refused extends Error {}

/** A fake of the browser's other tabs. */
class OtherTabs implements Tabs {
  readonly told: News[] = [];
  say: (news: News) => void = () => undefined;
  tell(news: News): void {
    this.told.push(news);
  }
  onNews(listener: (news: News) => void): void {
    this.say = listener;
  }
  #before: Promise<unknown> = Promise.resolve();
  alone<T>(request: () => Promise<T>): Promise<T> {
    const mine = this.#before.then(request);
    this.#before = mine.catch(() => undefined);
    return mine;
  }
}

/** An unsigned access token. */
export function token(claims: object): string {
  return `e30.${btoa(JSON.stringify(claims))}.signature`;
}

/** Fakes of a session's dependencies. */
export class SessionParts {
  readonly clock = new FakeClock();
  readonly tabs = new OtherTabs();
  readonly door: { [K in keyof AuthDoor]: ReturnType<typeof vi.fn<AuthDoor[K]>> } = {
    login: vi.fn(),
    refresh: vi.fn(),
    logout: vi.fn(),
    me: vi.fn(),
    myBusinesses: vi.fn(),
  };

  /** Each address is a person of its own. */
  grantOf(email: string, lifeMs = 15 * MINUTE, sub = email === OLIVIA ? 'u1' : `id of ${email}`): Grant {
    const exp = (this.clock.now() + lifeMs) / 1000;
    return {
      token: token({ sub, email, name: 'Olivia Hart', role: 'OWNER', exp }),
      role: 'OWNER',
      businessIds: ['b1'],
    };
  }

  session(): Session {
    return new Session({
      door: this.door,
      clock: this.clock,
      tabs: this.tabs,
      cache: new SessionCache(localStorage),
      isRefusal: (error) => error instanceof Refused,
      renewalThresholdMs: 5 * MINUTE,
    });
  }

  async signedIn(email = OLIVIA): Promise<Session> {
    this.door.refresh.mockResolvedValueOnce(this.grantOf(email));
    const session = this.session();
    await session.start();
    return session;
  }
}
