// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred, settle } from '../testing/fake-clock';
import { MINUTE, Refused, SessionParts } from '../testing/session-parts';
import type { Grant } from './user';

let parts: SessionParts;
let { clock, door, tabs } = {} as SessionParts;
const session = () => parts.session();
const grantOf = (email: string, lifeMs?: number) => parts.grantOf(email, lifeMs);
const signedIn = (email?: string) => parts.signedIn(email);

beforeEach(() => {
  localStorage.clear();
  parts = new SessionParts();
  ({ clock, door, tabs } = parts);
});

describe('the end of a session', () => {
  const granted = (left: number): Grant => ({ ...grantOf('olivia@salon.test'), sessionSecondsLeft: left });

  it('is announced half an hour before, with its instant', async () => {
    door.refresh.mockResolvedValueOnce(granted(3600)).mockRejectedValue(new Error('offline'));
    const current = session();
    await current.start();
    const end = clock.now() + 60 * MINUTE;
    clock.advance(30 * MINUTE - 1);
    expect(current.state.endingAt).toBeNull();
    clock.advance(1);
    expect(current.state.endingAt).toBe(end);
  });

  it('is announced at once when it is nearer, and not again after a new sign-in', async () => {
    door.refresh.mockResolvedValueOnce(granted(60));
    const current = session();
    await current.start();
    clock.advance(0);
    expect(current.state.endingAt).toBe(clock.now() + MINUTE);
    door.login.mockResolvedValue(granted(604_800));
    await current.signIn('olivia@salon.test', 'secret');
    expect(current.state.endingAt).toBeNull();
  });

  it('can be brought forward, to sign in and go on', async () => {
    door.refresh.mockResolvedValueOnce(granted(60));
    const current = session();
    await current.start();
    const ended = vi.fn();
    current.onEnd(ended);
    await current.signInAgain();
    expect(door.logout).toHaveBeenCalledTimes(1);
    expect(ended.mock.calls).toEqual([['again', true]]);
    expect(current.state).toMatchObject({ user: null, ended: 'again', endingAt: null });
    expect(tabs.told).toEqual([{ kind: 'ended', end: 'again' }]);
  });
});

describe('where a person is a member', () => {
  it('is read again, and cached with the user', async () => {
    const current = await signedIn();
    door.myBusinesses.mockResolvedValue({ businessIds: ['b1', 'b2'] });
    await current.reloadBusinesses();
    expect(door.myBusinesses.mock.calls).toEqual([[current.token]]);
    expect(current.state.user?.businessIds).toEqual(['b1', 'b2']);
    expect(session().state.cachedUser?.businessIds).toEqual(['b1', 'b2']);
  });

  it('does not bring back a user who signed out meanwhile', async () => {
    const current = await signedIn();
    const answer = deferred<{ businessIds: string[] }>();
    door.myBusinesses.mockReturnValue(answer.promise);
    const reloaded = current.reloadBusinesses();
    await settle();
    await current.signOut();
    answer.resolve({ businessIds: ['b2'] });
    await reloaded;
    expect(current.state.user).toBeNull();
  });

  it('is not requested without a session', async () => {
    door.refresh.mockRejectedValue(new Refused());
    await session().reloadBusinesses();
    expect(door.myBusinesses).not.toHaveBeenCalled();
  });
});

describe('the tabs of one browser', () => {
  it('hear of a sign-in and of a sign-out', async () => {
    door.login.mockResolvedValue(grantOf('olivia@salon.test'));
    const current = session();
    await current.signIn('olivia@salon.test', 'secret');
    await current.signOut();
    expect(tabs.told).toEqual([{ kind: 'signedIn' }, { kind: 'ended', end: 'signedOut' }]);
  });

  it('are signed out together, with one request to the server', async () => {
    const current = await signedIn();
    const ended = vi.fn();
    current.onEnd(ended);
    tabs.say({ kind: 'ended', end: 'signedOut' });
    expect(current.token).toBeNull();
    expect(current.state).toMatchObject({ user: null, cachedUser: null, ended: 'signedOut' });
    expect(ended.mock.calls).toEqual([['signedOut', true]]);
    expect(door.logout).not.toHaveBeenCalled();
    expect(tabs.told).toEqual([]);
  });

  it('are signed in together', async () => {
    door.refresh.mockRejectedValueOnce(new Refused());
    const current = session();
    await current.start();
    door.refresh.mockResolvedValueOnce(grantOf('olivia@salon.test'));
    tabs.say({ kind: 'signedIn' });
    await settle();
    expect(current.state.user?.email).toBe('olivia@salon.test');
    expect(tabs.told).toEqual([]);
  });

  it('do not take the answer to a refresh from before the sign-in', async () => {
    const slow = deferred<Grant>();
    door.refresh.mockReturnValueOnce(slow.promise);
    const current = session();
    void current.start();
    door.refresh.mockResolvedValueOnce(grantOf('new@salon.test'));
    tabs.say({ kind: 'signedIn' });
    slow.resolve(grantOf('old@salon.test', 20 * MINUTE));
    await settle();
    expect(current.state.user?.email).toBe('new@salon.test');
  });

  it('show no data of one user to another who signed in', async () => {
    const current = await signedIn('olivia@salon.test');
    const ended = vi.fn();
    current.onEnd(ended);
    door.refresh.mockResolvedValueOnce(grantOf('other@salon.test', 20 * MINUTE));
    tabs.say({ kind: 'signedIn' });
    await settle();
    expect(ended.mock.calls).toEqual([['replaced', true]]);
    expect(current.state.user).toBeNull();
    // The page that begins anew is theirs.
    expect(session().state.cachedUser?.email).toBe('other@salon.test');
  });
});
