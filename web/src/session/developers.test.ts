// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SessionParts } from '../testing/session-parts';
import { claimsOf } from './claims';

let parts: SessionParts;

beforeEach(() => {
  localStorage.clear();
  parts = new SessionParts();
});

describe('what developers may ask of a session', () => {
  it('expires the token it holds, so that the next refused call has to renew it', async () => {
    const { clock, door } = parts;
    const session = await parts.signedIn('zoe@salon.test');
    const before = session.token;
    session.expireToken();
    expect(session.token).not.toBe(before);
    expect(claimsOf(session.token ?? '')).toMatchObject({ email: 'zoe@salon.test', exp: clock.now() / 1000 });
    door.refresh.mockResolvedValue(parts.grantOf('zoe@salon.test', 30 * MINUTE));
    const renewed = await session.renewAfterRefusal(session.token);
    expect(renewed).toBe(session.token);
    expect(claimsOf(session.token ?? '').exp).toBe((clock.now() + 30 * MINUTE) / 1000);
  });

  it('has no token to expire without a session', () => {
    const session = parts.session();
    session.expireToken();
    expect(session.token).toBeNull();
  });

  it('reports how often renewing failed and until when it waits', async () => {
    const { clock, door } = parts;
    door.refresh.mockRejectedValue(new Error('down'));
    const session = parts.session();
    expect(session.backoff).toEqual({ failures: 0, blockedUntil: 0 });
    for (let n = 0; n < 3; n += 1) await session.renew().catch(() => undefined);
    expect(session.backoff).toEqual({ failures: 3, blockedUntil: clock.now() + 2000 });
    clock.advance(2000);
    expect(session.backoff).toEqual({ failures: 3, blockedUntil: 0 });
  });
});
