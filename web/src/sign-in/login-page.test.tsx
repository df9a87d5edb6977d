// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type Failure } from '../http/errors';
import { ProviderStartError } from '../session/provider/configuration';
import type { Session } from '../session/session';
import { SessionParts } from '../testing/session-parts';
import { UiProvider } from '../ui/provider';
import { sessionToasts } from '../ui/toasts';

const parts: { now: SessionParts; session: Session } = vi.hoisted(() => ({}) as never);
const signIn = vi.hoisted(() => vi.fn());
vi.mock('../session/current', () => ({
  get session() {
    return parts.session;
  },
}));
vi.mock('../session/provider/current', () => ({
  provider: { subscribe: () => () => undefined, loading: false, signIn },
}));

const { Component } = await import('./login-page');

async function open(wanted?: string) {
  const router = createMemoryRouter(
    [
      { path: '/login', Component },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [{ pathname: '/login', state: wanted ? { wanted } : null }] },
  );
  await act(async () => {
    render(
      <UiProvider nonce={undefined}>
        <RouterProvider router={router} />
      </UiProvider>,
    );
  });
  return router;
}

const google = () => screen.queryByRole('button', { name: 'Continue with Google' });
const said = () => sessionToasts.list.map(({ text }) => text);
const refused = (message: string, reason = 'X'): ApiError => {
  const failure: Failure = { kind: 'refused', status: 401, reason, metadata: {}, violations: [] };
  return new ApiError(message, failure);
};

async function signInAs(email: string, password: string) {
  fireEvent.change(screen.getByLabelText('E-mail'), { target: { value: email } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  });
}

beforeEach(() => {
  localStorage.clear();
  parts.now = new SessionParts();
  parts.session = parts.now.session();
  signIn.mockReset().mockResolvedValue(undefined);
});
afterEach(() => {
  cleanup();
  for (const { id } of sessionToasts.list) sessionToasts.dismiss(id);
});

describe('the sign-in page', () => {
  it('goes on with the person, to what they wanted', async () => {
    parts.now.door.login.mockResolvedValue(parts.now.grantOf('olivia@salon.test'));
    const router = await open('/b1/calls');
    await signInAs('olivia@salon.test', 'secret');
    expect(router.state.location.pathname).toBe('/b1/calls');
  });

  it.each([
    ['Forgot your password?', '/forgot-password'],
    ['Create an account', '/register'],
  ])('hands the address on to “%s”, in no address of a page', async (link, path) => {
    const router = await open('/b1/calls');
    expect(document.activeElement).toBe(screen.getByLabelText('E-mail'));
    fireEvent.change(screen.getByLabelText('E-mail'), { target: { value: 'olivia@salon.test' } });
    await act(async () => {
      fireEvent.click(screen.getByRole('link', { name: link }));
    });
    expect(router.state.location).toMatchObject({
      pathname: path,
      search: '',
      hash: '',
      state: { email: 'olivia@salon.test', wanted: '/b1/calls' },
    });
    await act(async () => {
      await router.navigate('/login', { state: router.state.location.state });
    });
    expect(screen.getByLabelText('E-mail')).toHaveProperty('value', 'olivia@salon.test');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));
  });

  it.each([
    ['the server’s message', refused('Wrong e-mail or password'), 'Wrong e-mail or password'],
    ['the server’s message about a known reason', refused('auth is down', 'UNAVAILABLE'), 'auth is down'],
    ['“Login failed” where the server says nothing', refused('', 'UNAVAILABLE'), 'Login failed'],
    [
      '“Login failed” where the server is out of reach',
      new ApiError('', { kind: 'unreachable' }),
      'Login failed',
    ],
    ['“Login failed” where the server takes too long', new ApiError('', { kind: 'timeout' }), 'Login failed'],
  ])('tells %s in a toast', async (_, error, told) => {
    parts.now.door.login.mockRejectedValue(error);
    await open();
    await signInAs('olivia@salon.test', 'wrong');
    expect(said()).toEqual([told]);
  });

  it('offers Google at once, and where none is configured says so when it is pressed', async () => {
    const message = 'Invalid OAuth configuration received from backend';
    signIn.mockRejectedValue(new ProviderStartError(message));
    await open();
    await act(async () => {
      fireEvent.click(google() as HTMLElement);
    });
    expect(said()).toEqual([message]);
    expect(google()).not.toBeNull();
  });

  it('sends to Google with what the person wanted', async () => {
    await open('/b1/calls');
    fireEvent.click(google() as HTMLElement);
    expect(signIn.mock.calls).toEqual([['/b1/calls']]);
  });

  it.each([
    ['the message', refused('No Google today.'), 'No Google today.'],
    ['“Failed to start Google login” where there is none', new Error('x'), 'Failed to start Google login'],
  ])('tells %s when the way to Google does not begin', async (_, error, told) => {
    signIn.mockRejectedValue(error);
    await open();
    await act(async () => {
      fireEvent.click(google() as HTMLElement);
    });
    expect(said()).toEqual([told]);
  });
});
