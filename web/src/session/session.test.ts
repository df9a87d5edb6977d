// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred, settle } from '../testing/fake-clock';
import { MINUTE, Refused, SessionParts, token } from '../testing/session-parts';
import type { Grant } from './user';

let parts: SessionParts;
let { clock, door } = {} as SessionParts;
const session = () => parts.session();
const grantOf = (email: string, lifeMs?: number) => parts.grantOf(email, lifeMs);
const signedIn = (email?: string) => parts.signedIn(email);

beforeEach(() => {
  localStorage.clear();
  parts = new SessionParts();
  ({ clock, door } = parts);
});

describe('the start of a session', () => {
  it('signs in silently, reading the user from the token', async () => {
    door.refresh.mockResolvedValue(grantOf('olivia@salon.test'));
    const started = session();
    expect(started.state).toMatchObject({ user: null, loading: true, complete: false });
    await started.start();
    expect(started.state).toMatchObject({ loading: false, complete: true, refreshing: false });
    expect(started.state.user).toEqual({
      id: 'u1',
      name: 'Olivia Hart',
      email: 'olivia@salon.test',
      role: 'OWNER',
      provider: 'email',
      businessIds: ['b1'],
    });
  });

  it('reads the user from the server when the token has no claims', async () => {
    door.refresh.mockResolvedValue({ token: 'not-a-jwt', role: 'MANAGER', businessIds: ['b1'] });
    door.me.mockResolvedValue({ id: 'u7', name: 'Ada', email: 'ada@salon.test', role: 'GUEST' });
    const started = session();
    await started.start();
    expect(door.me).toHaveBeenCalledWith('not-a-jwt');
    expect(started.state.user).toEqual({
      id: 'u7',
      name: 'Ada',
      email: 'ada@salon.test',
      role: 'MANAGER',
      provider: 'email',
      businessIds: ['b1'],
    });
  });

  it('falls back to placeholders when the server fails too', async () => {
    door.refresh.mockResolvedValue({ token: 'not-a-jwt' });
    door.me.mockRejectedValue(new Refused());
    const started = session();
    await started.start();
    expect(started.state.user).toMatchObject({ id: 'me', email: 'unknown', role: 'user', businessIds: [] });
  });

  it('ends without a user when the server refuses, and clears the cached user', async () => {
    door.refresh.mockResolvedValueOnce(grantOf('olivia@salon.test'));
    await session().start();
    door.refresh.mockRejectedValue(new Refused());
    const later = session();
    expect(later.state.cachedUser?.email).toBe('olivia@salon.test');
    await later.start();
    expect(later.state).toMatchObject({ user: null, cachedUser: null, loading: false, complete: true });
  });

  it('keeps the cached user when the server is out of reach', async () => {
    door.refresh.mockResolvedValueOnce(grantOf('olivia@salon.test'));
    await session().start();
    door.refresh.mockRejectedValue(new Error('offline'));
    const later = session();
    await later.start();
    expect(later.state.cachedUser?.email).toBe('olivia@salon.test');
  });

  it('refreshes although a user is cached, and drops a cache older than five minutes', async () => {
    door.refresh.mockResolvedValueOnce(grantOf('olivia@salon.test'));
    await session().start();
    clock.advance(5 * MINUTE);
    expect(session().state.cachedUser).toBeNull();
    expect(door.refresh).toHaveBeenCalledTimes(1);
    door.refresh.mockResolvedValueOnce(grantOf('olivia@salon.test'));
    await session().start();
    expect(door.refresh).toHaveBeenCalledTimes(2);
  });

  it('stops loading after 12 s although the refresh still runs', async () => {
    const answer = deferred<Grant>();
    door.refresh.mockReturnValue(answer.promise);
    const started = session();
    void started.start();
    clock.advance(11_999);
    expect(started.state.loading).toBe(true);
    clock.advance(1);
    expect(started.state).toMatchObject({ loading: false, complete: false, refreshing: true });
    answer.resolve(grantOf('olivia@salon.test'));
    await settle();
    expect(started.state).toMatchObject({ complete: true, refreshing: false });
    expect(started.state.user).not.toBeNull();
  });

  it('stops loading after 15 s whatever happens', () => {
    const never = session();
    clock.advance(14_999);
    expect(never.state.loading).toBe(true);
    clock.advance(1);
    expect(never.state).toMatchObject({ loading: false, complete: false });
  });

  it('does not try while the backoff forbids it, and still comes to its end', async () => {
    door.refresh.mockRejectedValue(new Refused());
    const current = session();
    for (let time = 0; time < 3; time += 1) await expect(current.renew()).rejects.toBeInstanceOf(Refused);
    await current.start();
    expect(door.refresh).toHaveBeenCalledTimes(3);
    expect(current.state).toMatchObject({ user: null, loading: false, complete: true });
  });

  it('drops a cached user after five minutes when the server was never reached', async () => {
    door.refresh.mockResolvedValueOnce(grantOf('olivia@salon.test'));
    await session().start();
    clock.advance(MINUTE);
    door.refresh.mockRejectedValue(new Error('offline'));
    const later = session();
    await later.start();
    clock.advance(4 * MINUTE - 1);
    expect(later.state.cachedUser).not.toBeNull();
    clock.advance(1);
    expect(later.state).toMatchObject({ user: null, cachedUser: null });
    expect(localStorage.getItem('auth')).toBeNull();
  });

  it.each([
    'not json',
    '{}',
    '{"user":{},"timestamp":1,"expiresAt":9e15}',
    '{"user":{"id":"1","name":"n","email":"e"},"timestamp":1,"expiresAt":9e15}',
  ])('takes no user from an invalid cache: %s', (kept) => {
    localStorage.setItem('auth', kept);
    expect(session().state.cachedUser).toBeNull();
  });

  it('stores no token anywhere', async () => {
    door.refresh.mockResolvedValue(grantOf('olivia@salon.test'));
    const started = session();
    await started.start();
    expect(started.token).not.toBeNull();
    const stored = JSON.stringify({ ...localStorage, ...sessionStorage });
    expect(stored).not.toContain(started.token);
    expect(JSON.parse(localStorage.getItem('auth') ?? '')).toEqual({
      user: started.state.user,
      timestamp: clock.now(),
      expiresAt: clock.now() + 5 * MINUTE,
    });
    expect(localStorage.getItem('hadSession')).toBe('true');
  });
});

describe('where the live socket goes on from', () => {
  const grantAt = (liveCursor: string) => ({ ...grantOf('olivia@salon.test'), liveCursor });

  it('is the start of the session, and returned once', async () => {
    door.refresh.mockResolvedValue(grantAt('c1'));
    const started = session();
    await started.start();
    expect([started.takeLiveCursor(), started.takeLiveCursor()]).toEqual(['c1', '']);
  });

  it('is not the renewal of a token: older answers had been read by then', async () => {
    door.refresh.mockResolvedValueOnce(grantAt('c1')).mockResolvedValueOnce(grantAt('c2'));
    const started = session();
    await started.start();
    await started.renew();
    expect(started.takeLiveCursor()).toBe('c1');
    expect(started.takeLiveCursor()).toBe('');
  });
});

describe('signing in with a provider', () => {
  it('reads the user from the token, and names the provider', async () => {
    const user = await session().signInWithProvider(async () => grantOf('olivia@salon.test'));
    expect(user).toMatchObject({ id: 'u1', name: 'Olivia Hart', provider: 'google', role: 'OWNER' });
  });

  it('gives an account without a role the role user', async () => {
    const bare = { token: token({ sub: 'u2', email: 'new@salon.test' }) };
    const user = await session().signInWithProvider(async () => bare);
    expect(user).toMatchObject({ role: 'user', name: 'new', businessIds: [] });
  });

  it('needs no silent refresh before or after', async () => {
    const current = session();
    await current.signInWithProvider(async () => grantOf('olivia@salon.test'));
    await current.readyToken();
    await current.signOut();
    await current.readyToken();
    expect(door.refresh).not.toHaveBeenCalled();
  });
});

describe('signing in', () => {
  it('names the user by their e-mail until more is known', async () => {
    door.login.mockResolvedValue(grantOf('olivia@salon.test'));
    const user = await session().signIn('olivia@salon.test', 'secret');
    expect(user).toMatchObject({ id: 'me', name: 'olivia', email: 'olivia@salon.test', provider: 'email' });
  });

  it('wins over a silent refresh that ran before', async () => {
    const slow = deferred<Grant>();
    door.refresh.mockReturnValue(slow.promise);
    door.login.mockResolvedValue(parts.grantOf('new@salon.test', 15 * MINUTE, 'u1'));
    const current = session();
    void current.start();
    const signedIn = current.signIn('new@salon.test', 'secret');
    slow.resolve(parts.grantOf('old@salon.test', 20 * MINUTE, 'u1'));
    await signedIn;
    expect(current.state.user?.email).toBe('new@salon.test');
  });

  it('lifts the backoff', async () => {
    door.refresh.mockRejectedValue(new Refused());
    door.login.mockResolvedValue(grantOf('olivia@salon.test'));
    const current = session();
    await current.start();
    for (let time = 0; time < 2; time += 1) await expect(current.renew()).rejects.toBeInstanceOf(Refused);
    await expect(current.renew()).rejects.toThrow('Refresh backoff');
    await current.signIn('olivia@salon.test', 'secret');
    door.refresh.mockResolvedValue(grantOf('olivia@salon.test', 20 * MINUTE));
    await expect(current.renew()).resolves.toBeTypeOf('string');
  });
});

describe('a refused call', () => {
  it('gets a new token, once for all refused calls', async () => {
    const current = await signedIn();
    const old = current.token;
    const answer = deferred<Grant>();
    door.refresh.mockReturnValue(answer.promise);
    const waiting = [current.renewAfterRefusal(old), current.renewAfterRefusal(old)];
    const fresh = grantOf('olivia@salon.test', 20 * MINUTE);
    answer.resolve(fresh);
    expect(await Promise.all(waiting)).toEqual([fresh.token, fresh.token]);
    expect(door.refresh).toHaveBeenCalledTimes(2);
    expect(await current.renewAfterRefusal(old)).toBe(fresh.token);
    expect(door.refresh).toHaveBeenCalledTimes(2);
  });

  it('ends the session when no new token can be had, and says so once', async () => {
    const current = await signedIn();
    const ended = vi.fn();
    current.onEnd(ended);
    door.refresh.mockRejectedValue(new Refused());
    const results = await Promise.all([
      current.renewAfterRefusal(current.token),
      current.renewAfterRefusal(current.token),
    ]);
    expect(results).toEqual([null, null]);
    expect(ended.mock.calls).toEqual([['expired', true]]);
    expect(current.state).toMatchObject({ user: null, cachedUser: null, ended: 'expired' });
    expect(localStorage.getItem('auth')).toBeNull();
    expect(localStorage.getItem('hadSession')).toBeNull();
  });

  it('reports that there was no session if there had been none', async () => {
    door.refresh.mockRejectedValue(new Refused());
    const current = session();
    await current.start();
    const ended = vi.fn();
    current.onEnd(ended);
    expect(await current.renewAfterRefusal(null)).toBeNull();
    expect(ended.mock.calls).toEqual([['expired', false]]);
    expect(door.refresh).toHaveBeenCalledTimes(1);
  });
});

describe('a token', () => {
  it('is renewed before it ends, and passed to every listener', async () => {
    door.refresh.mockResolvedValueOnce(grantOf('olivia@salon.test', 15 * MINUTE));
    const current = session();
    const heard = vi.fn();
    current.onToken(heard);
    await current.start();
    const fresh = grantOf('olivia@salon.test', 25 * MINUTE);
    door.refresh.mockResolvedValueOnce(fresh);
    clock.advance(10 * MINUTE - 1);
    expect(door.refresh).toHaveBeenCalledTimes(1);
    clock.advance(1);
    await settle();
    expect(current.token).toBe(fresh.token);
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('is waited for by calls that are made while it is renewed', async () => {
    const current = await signedIn();
    const answer = deferred<Grant>();
    door.refresh.mockReturnValue(answer.promise);
    const refused = current.renewAfterRefusal(current.token);
    let sent: string | null | undefined;
    const made = current.readyToken().then((ready) => {
      sent = ready;
    });
    await settle();
    expect(sent).toBeUndefined();
    const fresh = grantOf('olivia@salon.test', 20 * MINUTE);
    answer.resolve(fresh);
    await Promise.all([refused, made]);
    expect(sent).toBe(fresh.token);
  });

  it('is waited for by calls that are made while it is renewed in good time', async () => {
    const current = await signedIn();
    const answer = deferred<Grant>();
    door.refresh.mockReturnValue(answer.promise);
    clock.advance(10 * MINUTE);
    expect(current.state.refreshing).toBe(true);
    const ready = current.readyToken();
    const fresh = grantOf('olivia@salon.test', 20 * MINUTE);
    answer.resolve(fresh);
    expect(await ready).toBe(fresh.token);
  });

  it('that has expired is renewed before a call is sent with it', async () => {
    const current = await signedIn();
    door.refresh.mockRejectedValueOnce(new Error('offline'));
    clock.advance(15 * MINUTE);
    await settle();
    const fresh = grantOf('olivia@salon.test');
    door.refresh.mockResolvedValueOnce(fresh);
    expect(await current.readyToken()).toBe(fresh.token);
  });

  it('that has expired is sent all the same when the server is out of reach', async () => {
    const current = await signedIn();
    door.refresh.mockRejectedValue(new Error('offline'));
    clock.advance(15 * MINUTE);
    expect(await current.readyToken()).not.toBeNull();
    expect(current.state.user).not.toBeNull();
  });

  it('is waited for by calls made during the start', async () => {
    const answer = deferred<Grant>();
    door.refresh.mockReturnValue(answer.promise);
    const current = session();
    const ready = current.readyToken();
    const grant = grantOf('olivia@salon.test');
    answer.resolve(grant);
    expect(await ready).toBe(grant.token);
  });
});

describe('signing out', () => {
  it('clears everything, and no late answer brings it back', async () => {
    door.refresh.mockResolvedValueOnce(grantOf('olivia@salon.test'));
    const current = session();
    await current.start();
    const late = deferred<Grant>();
    door.refresh.mockReturnValue(late.promise);
    void current.renew().catch(() => undefined);
    const left = current.signOut();
    late.resolve(grantOf('olivia@salon.test', 20 * MINUTE));
    await left;
    expect(current.token).toBeNull();
    expect(current.state).toMatchObject({ user: null, cachedUser: null, ended: 'signedOut' });
    expect(localStorage.getItem('hadSession')).toBeNull();
    expect(clock.waiting).toBe(0);
  });

  it('ends the session here even when the server is out of reach', async () => {
    door.refresh.mockResolvedValueOnce(grantOf('olivia@salon.test'));
    door.logout.mockRejectedValue(new Error('offline'));
    const current = session();
    await current.start();
    await expect(current.signOut()).rejects.toThrow('offline');
    expect(current.state.user).toBeNull();
  });
});
