// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { settle } from '../testing/fake-clock';
import { MINUTE, Refused, SessionParts } from '../testing/session-parts';
import { announceSession } from './announce';
import type { Session } from './session';

let parts: SessionParts;
const clear = vi.fn();
const show = vi.fn();
const startOver = vi.fn();
const clearToasts = vi.fn();
const clearScreenToasts = vi.fn();
const clearUndos = vi.fn();

const listening = (session: Session) => {
  announceSession({
    session,
    answers: { clear },
    toasts: { show, clear: clearToasts },
    screenToasts: { clear: clearScreenToasts },
    undos: { clear: clearUndos },
    startOver,
  });
  return session;
};

beforeEach(() => {
  localStorage.clear();
  parts = new SessionParts();
  for (const mock of [clear, show, startOver, clearToasts, clearScreenToasts, clearUndos]) mock.mockReset();
});

describe('when a user signs in', () => {
  it('earlier toasts of the session are removed, and later ones stay when the token is renewed', async () => {
    const session = listening(parts.session());
    parts.door.login.mockResolvedValue(parts.grantOf('olivia@salon.test'));
    await session.signIn('olivia@salon.test', 'secret');
    expect(clearToasts).toHaveBeenCalledTimes(1);
    expect(clearScreenToasts).not.toHaveBeenCalled();
    parts.door.refresh.mockResolvedValue(parts.grantOf('olivia@salon.test', 20 * MINUTE));
    await session.renew();
    expect(clearToasts).toHaveBeenCalledTimes(1);
  });
});

describe('when a session ends', () => {
  it('earlier toasts are removed before the end is reported', async () => {
    const session = listening(await parts.signedIn());
    clearToasts.mockReset();
    parts.door.refresh.mockRejectedValue(new Refused());
    await session.renewAfterRefusal(session.token);
    expect(clearScreenToasts).toHaveBeenCalledTimes(1);
    expect(clearUndos).toHaveBeenCalledTimes(1);
    expect(clearToasts).toHaveBeenCalledTimes(1);
    expect(clearToasts).toHaveBeenCalledBefore(show);
  });

  it('on expiry the user is told once, in the specified words', async () => {
    const session = listening(await parts.signedIn());
    parts.door.refresh.mockRejectedValue(new Refused());
    await Promise.all([session.renewAfterRefusal(session.token), session.renewAfterRefusal(session.token)]);
    expect(show.mock.calls).toEqual([['bad', 'Session expired, please log in again.']]);
    expect(clear).toHaveBeenCalledTimes(1);
    expect(startOver).not.toHaveBeenCalled();
  });

  it('shows no toast when no token ever existed', async () => {
    parts.door.refresh.mockRejectedValue(new Refused());
    const session = listening(parts.session());
    await session.start();
    await session.renewAfterRefusal(null);
    expect(clear).toHaveBeenCalledTimes(1);
    expect(show).not.toHaveBeenCalled();
  });

  it('tells the user if a token existed before the reload', async () => {
    await parts.signedIn();
    parts.door.refresh.mockRejectedValue(new Refused());
    const session = listening(parts.session());
    await session.start();
    await session.renewAfterRefusal(null);
    expect(show).toHaveBeenCalledTimes(1);
  });

  it('on signing out all answers are cleared, and no expiry is reported', async () => {
    const session = listening(await parts.signedIn());
    await session.signOut();
    expect(clear).toHaveBeenCalledTimes(1);
    expect(show).not.toHaveBeenCalled();
  });

  it('reloads when another user signed in', async () => {
    const session = listening(await parts.signedIn('olivia@salon.test'));
    let userThen: unknown;
    startOver.mockImplementation(() => {
      userThen = session.state.user;
    });
    parts.door.refresh.mockResolvedValueOnce(parts.grantOf('other@salon.test'));
    parts.tabs.say({ kind: 'signedIn' });
    await settle();
    expect(startOver).toHaveBeenCalledTimes(1);
    expect(userThen).toBeNull();
    expect(show).not.toHaveBeenCalled();
  });
});
