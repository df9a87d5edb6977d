// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../http/errors';
import { Attempts } from '../session/provider/attempts';
import { SessionParts } from '../testing/session-parts';
import { UiProvider } from '../ui/provider';
import type { Toasts } from '../ui/toasts';

const CALLBACK = 'https://salon.test/auth/callback';
const exchangeCode = vi.fn();
const redeem = vi.fn();
const signIn = vi.fn();
const signInThroughDoor = vi.fn();
const connectIdentity = vi.hoisted(() => vi.fn<(request: object) => Promise<void>>(async () => undefined));
let parts: SessionParts;
let toasts: Toasts;
let router: ReturnType<typeof createMemoryRouter>;

async function arrive(search: string) {
  window.history.replaceState(null, '', `/auth/callback${search}`);
  const session = parts.session();
  vi.resetModules();
  vi.doMock('./connect-identity', () => ({ connectIdentity }));
  vi.doMock('../session/current', () => ({
    session,
    door: { exchangeCode, redeem },
  }));
  vi.doMock('../session/provider/current', () => ({
    provider: { subscribe: () => () => undefined, loading: false, signIn, signInThroughDoor },
    providerAttempts: new Attempts(sessionStorage),
    providerPlaces: { callback: CALLBACK },
  }));
  const { Component } = await import('./callback-page');
  ({ toasts } = await import('../ui/toasts'));
  router = createMemoryRouter(
    [
      { path: '/auth/callback', Component },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: ['/auth/callback'] },
  );
  render(
    <UiProvider nonce={undefined}>
      <RouterProvider router={router} />
    </UiProvider>,
  );
}

const left = (purpose: 'signIn' | 'connect' = 'signIn', wanted = '/b1/calls') =>
  new Attempts(sessionStorage).begin(purpose, wanted, { state: 'the-state', verifier: 'the-verifier' });

const landed = (path: string) => waitFor(() => expect(router.state.location.pathname).toBe(path));

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  parts = new SessionParts();
  parts.door.refresh.mockRejectedValue(new ApiError('', { kind: 'unreachable' }));
  connectIdentity.mockReset().mockResolvedValue(undefined);
  for (const mock of [exchangeCode, redeem, signIn, signInThroughDoor]) mock.mockReset();
});
afterEach(() => {
  cleanup();
  vi.doUnmock('../session/current');
  vi.doUnmock('../session/provider/current');
  vi.doUnmock('./connect-identity');
});

describe('the callback page', () => {
  it('signs in with the code of the page’s own flow, and goes where the person wanted', async () => {
    left();
    exchangeCode.mockResolvedValue(parts.grantOf('olivia@salon.test'));
    await arrive('?code=c1&state=the-state');
    await landed('/b1/calls');
    expect(exchangeCode.mock.calls).toEqual([['c1', 'the-verifier', CALLBACK]]);
    expect(window.location.search).toBe('');
    expect(parts.door.refresh).not.toHaveBeenCalled();
  });

  it('signs in with the handoff of the door’s flow, and goes to the person’s workplace', async () => {
    redeem.mockResolvedValue(parts.grantOf('olivia@salon.test'));
    await arrive('?token=one.two.three');
    await landed('/b1');
    expect(redeem.mock.calls).toEqual([['one.two.three']]);
    expect(window.location.search).toBe('');
  });

  it('never leads out of the application', async () => {
    left('signIn', '//evil.test');
    exchangeCode.mockResolvedValue(parts.grantOf('olivia@salon.test'));
    await arrive('?code=c1&state=the-state');
    await landed('/b1');
  });

  it('says what is wrong, and lets the person try again in the same way', async () => {
    left();
    await arrive('?code=c1&state=another');
    await screen.findByRole('heading', { name: 'Sign-in with Google failed' });
    expect(screen.getByRole('alert').textContent).toBe(
      'Invalid state parameter. Potential CSRF attack detected.',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Continue with Google' }));
    expect(signIn.mock.calls).toEqual([['/b1/calls']]);
    fireEvent.click(screen.getByRole('link', { name: 'Back to sign in' }));
    await landed('/login');
    expect(router.state.location.state).toEqual({ wanted: '/b1/calls' });
  });

  it('lets the door drive the next try when this browser forgot the first', async () => {
    await arrive('?code=c1&state=the-state');
    await screen.findByText('No stored state found. Please restart OAuth flow.');
    fireEvent.click(screen.getByRole('button', { name: 'Continue with Google' }));
    expect(signInThroughDoor.mock.calls).toEqual([[null]]);
    expect(signIn).not.toHaveBeenCalled();
  });

  it('connects an account and goes back to where that began', async () => {
    left('connect', '/my/account');
    await arrive('?code=c1&state=the-state');
    await landed('/my/account');
    expect(connectIdentity.mock.calls).toEqual([
      [{ code: 'c1', codeVerifier: 'the-verifier', redirectUri: CALLBACK, currentPassword: '' }],
    ]);
    expect(exchangeCode).not.toHaveBeenCalled();
    expect(toasts.list.map(({ text }) => text)).toEqual(['Google is connected to your account.']);
  });

  it('asks for the password before an account is connected, as often as it is mistyped', async () => {
    const wrong = (description: string) => async () => {
      // As the page, loaded afresh, knows it.
      const { refused } = await import('../testing/mount');
      throw refused(400, 'INVALID_FIELD', '', [{ field: 'currentPassword', description }]);
    };
    connectIdentity.mockImplementationOnce(wrong('is required')).mockImplementationOnce(wrong('is wrong'));
    left('connect', '/my/account');
    await arrive('?code=c1&state=the-state');
    await screen.findByRole('heading', { name: 'Confirm that it is you' });
    const type = (value: string) =>
      fireEvent.change(screen.getByLabelText('Your password'), { target: { value } });
    const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Connect Google' }));
    submit();
    await screen.findByText('Enter your password.');
    expect(connectIdentity).toHaveBeenCalledTimes(1);
    type('not mine');
    submit();
    await screen.findByText('That is not your password.');
    type('mine');
    submit();
    await landed('/my/account');
    expect(connectIdentity).toHaveBeenLastCalledWith(
      expect.objectContaining({ code: 'c1', currentPassword: 'mine' }),
    );
  });

  it('says why an account was not connected', async () => {
    left('connect', '/my/account');
    await arrive('?error=access_denied&state=the-state');
    await screen.findByRole('heading', { name: 'Google was not connected' });
    expect(screen.getByRole('alert').textContent).toBe('OAuth2 authentication failed: access_denied');
    expect(screen.getByRole('link', { name: 'Back to your account' }).getAttribute('href')).toBe(
      '/my/account',
    );
  });
});
