import { describe, expect, it } from 'vitest';
import { protect } from './protection';
import type { SessionState } from './session';
import type { User } from './user';

const owner: User = {
  id: 'u1',
  name: 'Olivia',
  email: 'olivia@salon.test',
  role: 'OWNER',
  provider: 'email',
  businessIds: ['b1'],
};

const state = (change: Partial<SessionState>): SessionState => ({
  user: null,
  cachedUser: null,
  loading: true,
  refreshing: false,
  complete: false,
  ended: null,
  endingAt: null,
  ...change,
});

describe('a protected route', () => {
  it('shows the page to a user, and to a cached one while the session loads', () => {
    expect(protect(state({ user: owner, loading: false }), undefined, 0)).toEqual({ kind: 'page' });
    expect(protect(state({ cachedUser: owner }), undefined, 0)).toEqual({ kind: 'page' });
  });

  it('refuses a role that is too low, cached or not', () => {
    expect(protect(state({ user: owner }), 'ADMIN', 0)).toEqual({ kind: 'restricted', signedIn: true });
    expect(protect(state({ cachedUser: owner }), 'ADMIN', 0)).toEqual({
      kind: 'restricted',
      signedIn: false,
    });
    expect(protect(state({ user: owner }), 'MANAGER', 0)).toEqual({ kind: 'page' });
  });

  it.each([true, false])('waits for a running refresh, however long, loading %s', (loading) => {
    expect(protect(state({ refreshing: true, loading }), undefined, 60_000)).toEqual({
      kind: 'wait',
      because: 'Refreshing session',
    });
  });

  it('sends to sign-in at once when the start is over without a user', () => {
    expect(protect(state({ loading: false, complete: true }), undefined, 0)).toEqual({ kind: 'signIn' });
  });

  it('waits at most 5 s when nothing else applies', () => {
    expect(protect(state({}), undefined, 4999)).toEqual({ kind: 'wait', because: 'Authenticating' });
    expect(protect(state({ loading: false }), undefined, 4999)).toEqual({
      kind: 'wait',
      because: 'Verifying session',
    });
    expect(protect(state({ loading: false }), undefined, 5000)).toEqual({ kind: 'signIn' });
  });
});
