// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred, settle } from '../testing/fake-clock';
import { MINUTE, Refused, SessionParts } from '../testing/session-parts';
import type { Grant } from './user';

const OLIVIA = 'olivia@salon.test';
const OTHER = 'other@salon.test';

let parts: SessionParts;
let { door, tabs } = {} as SessionParts;
const later = (email: string) => parts.grantOf(email, 20 * MINUTE);

beforeEach(() => {
  localStorage.clear();
  parts = new SessionParts();
  ({ door, tabs } = parts);
});

describe('leaving', () => {
  it('clears the screen before the server has answered', async () => {
    const current = await parts.signedIn();
    const answer = deferred<void>();
    door.logout.mockReturnValue(answer.promise);
    const { token } = current;
    const left = current.signOut();
    expect(current.state).toMatchObject({ user: null, cachedUser: null, ended: 'signedOut' });
    expect(tabs.told).toEqual([{ kind: 'ended', end: 'signedOut' }]);
    await settle();
    expect(door.logout.mock.calls).toEqual([[token]]);
    answer.resolve();
    await left;
  });

  it('is finished at the server before the next sign-in, whatever its outcome', async () => {
    const current = await parts.signedIn();
    const answer = deferred<void>();
    door.logout.mockReturnValue(answer.promise);
    door.login.mockResolvedValue(later(OTHER));
    const left = current.signOut().catch(() => 'not told');
    const next = current.signIn(OTHER, 'secret');
    await settle();
    expect(door.login).not.toHaveBeenCalled();
    answer.reject(new Error('offline'));
    expect(await left).toBe('not told');
    expect((await next).email).toBe(OTHER);
    expect(current.state.user?.email).toBe(OTHER);
  });

  it('of every browser on purpose is no expiry, even when a refused renewal notices it first', async () => {
    const current = await parts.signedIn();
    const ended = vi.fn();
    current.onEnd(ended);
    door.refresh.mockRejectedValue(new Refused());
    await current.endOnPurpose(() => current.renewAfterRefusal(current.token));
    await current.signOut();
    expect(ended.mock.calls).toEqual([['signedOut', true]]);
    expect(current.state.ended).toBe('signedOut');
  });

  it('that was refused does not hide a later expiry', async () => {
    const current = await parts.signedIn();
    await expect(current.endOnPurpose(() => Promise.reject(new Refused()))).rejects.toThrow();
    door.refresh.mockRejectedValue(new Refused());
    await current.renewAfterRefusal(current.token);
    expect(current.state.ended).toBe('expired');
  });
});

describe('another person’s cookies', () => {
  it('found by a refresh end the session instead of going on with it', async () => {
    const current = await parts.signedIn(OLIVIA);
    const ended = vi.fn();
    current.onEnd(ended);
    door.refresh.mockResolvedValueOnce(later(OTHER));
    expect(await current.renewAfterRefusal(current.token)).toBeNull();
    expect(ended.mock.calls).toEqual([['replaced', true]]);
    expect(current.state).toMatchObject({ user: null, ended: 'replaced' });
    expect(current.token).toBeNull();
  });

  it('found at the start are not taken for the cached user’s, and the next start continues', async () => {
    await parts.signedIn(OLIVIA);
    door.refresh.mockResolvedValue(later(OTHER));
    const current = parts.session();
    await current.start();
    expect(current.state).toMatchObject({ user: null, ended: 'replaced' });
    const anew = parts.session();
    await anew.start();
    expect(anew.state.user?.email).toBe(OTHER);
  });

  it('are the same user’s, in any spelling of the address', async () => {
    door.login.mockResolvedValue(parts.grantOf(OLIVIA));
    const current = parts.session();
    await current.signIn('Olivia@Salon.test', 'secret');
    door.refresh.mockResolvedValueOnce(later(OLIVIA));
    tabs.say({ kind: 'signedIn' });
    await settle();
    expect(current.state).toMatchObject({ user: { email: OLIVIA }, ended: null });
  });

  it('are the same user’s with another address, if the id is the same', async () => {
    const current = await parts.signedIn(OLIVIA);
    door.refresh.mockResolvedValueOnce(parts.grantOf('hart@salon.test', 20 * MINUTE, 'u1'));
    await current.renew();
    expect(current.state.user?.email).toBe('hart@salon.test');
  });
});

describe('a refused call of one person', () => {
  it('is not repeated as another user who signed in meanwhile', async () => {
    const current = await parts.signedIn(OLIVIA);
    const refused = current.token;
    await current.signOut();
    door.login.mockResolvedValue(later(OTHER));
    await current.signIn(OTHER, 'secret');
    expect(await current.renewAfterRefusal(refused)).toBeNull();
    expect(current.state.user?.email).toBe(OTHER);
  });

  it('is not repeated as another user who signed in while the token was renewed', async () => {
    const current = await parts.signedIn(OLIVIA);
    const answer = deferred<Grant>();
    door.refresh.mockReturnValueOnce(answer.promise);
    const again = current.renewAfterRefusal(current.token);
    await settle();
    const left = current.signOut();
    door.login.mockResolvedValue(later(OTHER));
    const next = current.signIn(OTHER, 'secret');
    answer.resolve(later(OLIVIA));
    await Promise.all([left, next]);
    expect(await again).toBeNull();
    expect(current.state.user?.email).toBe(OTHER);
  });
});

describe('requests that set cookies', () => {
  it('wait for each other', async () => {
    const slow = deferred<Grant>();
    door.refresh.mockReturnValueOnce(slow.promise);
    door.login.mockResolvedValue(later(OLIVIA));
    const current = parts.session();
    void current.start();
    const signedIn = current.signIn(OLIVIA, 'secret');
    await settle();
    expect(door.login).not.toHaveBeenCalled();
    slow.reject(new Refused());
    await signedIn;
    expect(door.login).toHaveBeenCalledTimes(1);
  });
});
