// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../http/errors';
import { RefreshBackoffError } from '../session/refresh-manager';
import type { SessionState } from '../session/session';
import { UiProvider } from '../ui/provider';
import AuthPanel from './auth-panel';

const current = vi.hoisted(() => ({
  api: vi.fn(),
  session: {
    state: {} as SessionState,
    token: null as string | null,
    backoff: { failures: 0, blockedUntil: 0 },
    hadSession: true,
    renew: vi.fn(),
    expireToken: vi.fn(),
    subscribe: () => () => undefined,
  },
}));
vi.mock('../session/current', () => current);

const { api, session } = current;
const NOW = Date.parse('2026-06-01T09:00:00Z');
const user = {
  id: 'u1',
  name: 'Olivia Hart',
  email: 'owner@demo.test',
  role: 'OWNER',
  provider: 'email' as const,
  businessIds: ['b1', 'b2'],
};

function show() {
  render(
    <UiProvider nonce={undefined}>
      <AuthPanel onClose={() => undefined} />
    </UiProvider>,
  );
}

/** The value beside a name. */
const value = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
const press = async (name: string) => {
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name }));
    await vi.advanceTimersByTimeAsync(0);
  });
};
const says = (text: string) => screen.getAllByRole('status').some((line) => line.textContent === text);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  session.state = {
    user,
    cachedUser: user,
    loading: false,
    refreshing: false,
    complete: true,
    ended: null,
    endingAt: null,
  };
  session.token = `e30.${btoa(JSON.stringify({ exp: NOW / 1000 + 62 }))}.s`;
  session.backoff = { failures: 0, blockedUntil: 0 };
  for (const mock of [api, session.renew, session.expireToken]) mock.mockReset();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('shows who is signed in, with which role and provider', () => {
  show();
  expect(value('Name')).toBe('Olivia Hart');
  expect(value('Role')).toContain('OWNER');
  expect(value('Provider')).toBe('email');
  expect(value('Businesses')).toBe('2');
});

it('counts the token down to its end', async () => {
  show();
  expect(value('Time left')).toBe('1 min 2 s');
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(value('Time left')).toBe('59 s');
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(value('Time left')).toBe('expired');
});

it('shows failed refreshes, and counts down how long they are blocked', async () => {
  session.backoff = { failures: 4, blockedUntil: NOW + 4000 };
  show();
  expect(value('Refresh')).toBe('4 failed in a row, blocked for 4 s');
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(value('Refresh')).toBe('4 failed in a row, blocked for 3 s');
});

it('refreshes on request, and says why it did not', async () => {
  session.renew.mockResolvedValueOnce('token');
  show();
  await press('Refresh now');
  expect(says('The token is new.')).toBe(true);
  session.renew.mockRejectedValueOnce(new RefreshBackoffError());
  await press('Refresh now');
  expect(says('Refresh backoff due to consecutive failures')).toBe(true);
});

it('expires the token locally', async () => {
  show();
  await press('Expire token locally');
  expect(session.expireToken).toHaveBeenCalledTimes(1);
});

it('diagnoses the signed-in user, or any other account, by e-mail', async () => {
  api.mockResolvedValue({ message: 'The account is verified.' });
  show();
  await press('Diagnose user');
  expect(api).toHaveBeenLastCalledWith({
    verb: 'POST',
    path: '/auth/diagnose-user',
    body: { email: 'owner@demo.test' },
  });
  expect(says('The account is verified.')).toBe(true);
  fireEvent.change(screen.getByLabelText('E-mail'), { target: { value: 'who@demo.test' } });
  api.mockRejectedValue(new ApiError('no', { kind: 'unreachable' }));
  await press('Diagnose user');
  expect(api.mock.lastCall?.[0].body).toEqual({ email: 'who@demo.test' });
  expect(says('Frontdesk can’t be reached. Check your connection.')).toBe(true);
});

it('shows how the provider is configured', async () => {
  api.mockResolvedValue({ issuer: 'http://localhost:7190', clientId: 'demo' });
  show();
  await press('OAuth configuration');
  expect(api).toHaveBeenLastCalledWith({ verb: 'GET', path: '/auth/debug/oauth-config' });
  expect(value('issuer')).toBe('http://localhost:7190');
});

it('says that no user is signed in', () => {
  session.state = { ...session.state, user: null, cachedUser: null, ended: 'expired' };
  session.token = null;
  show();
  expect(screen.getByText('Not signed in (expired).')).toBeTruthy();
  expect(value('Time left')).toBe('no token');
  expect(screen.getByRole('button', { name: 'Expire token locally' })).toHaveProperty('disabled', true);
});
