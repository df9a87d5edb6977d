// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type Failure } from '../api/errors';
import { deferred } from '../testing/fake-clock';
import { SessionParts } from '../testing/session-parts';
import { UiProvider } from '../ui/provider';
import { sessionToasts } from '../ui/toasts';
import type { FrontendConfiguration } from './provider/configuration';
import type { Session } from './session';

const parts: { now: SessionParts; session: Session } = vi.hoisted(() => ({}) as never);
const frontendConfiguration = vi.hoisted(() => vi.fn<() => Promise<FrontendConfiguration>>());
const signIn = vi.hoisted(() => vi.fn());
vi.mock('./current', () => ({
  get session() {
    return parts.session;
  },
  door: { frontendConfiguration },
}));
vi.mock('./provider/current', () => ({
  provider: { subscribe: () => () => undefined, loading: false, signIn },
}));

const { Component } = await import('./login-page');

const CONFIGURED = { oauth: { googleClientId: 'c1', googleAuthUrl: 'https://accounts.test' } };

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
const refused = (message: string): ApiError => {
  const failure: Failure = { kind: 'refused', status: 401, reason: 'X', metadata: {}, violations: [] };
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
  frontendConfiguration.mockReset().mockResolvedValue({});
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
    ['the door’s message', 'Wrong e-mail or password', 'Wrong e-mail or password'],
    ['“Login failed” where the door says nothing', '', 'Login failed'],
  ])('tells %s in a toast', async (_, message, told) => {
    parts.now.door.login.mockRejectedValue(refused(message));
    await open();
    await signInAs('olivia@salon.test', 'wrong');
    expect(said()).toEqual([told]);
  });

  it('stands, form and all, before the door says whether Google is to be had', async () => {
    const answer = deferred<FrontendConfiguration>();
    frontendConfiguration.mockReturnValue(answer.promise);
    await open();
    expect(screen.getByLabelText('Password')).toBeTruthy();
    expect(google()).toBeNull();
    await act(async () => answer.resolve(CONFIGURED));
    expect(google()).not.toBeNull();
  });

  it('offers no Google where none is configured', async () => {
    frontendConfiguration.mockResolvedValue({ oauth: { googleClientId: '' } });
    await open();
    expect(google()).toBeNull();
  });

  it('sends to Google with what the person wanted', async () => {
    frontendConfiguration.mockResolvedValue(CONFIGURED);
    await open('/b1/calls');
    fireEvent.click(google() as HTMLElement);
    expect(signIn.mock.calls).toEqual([['/b1/calls']]);
  });

  it.each([
    ['the message', refused('No Google today.'), 'No Google today.'],
    ['“Failed to start Google login” where there is none', new Error('x'), 'Failed to start Google login'],
  ])('tells %s when the way to Google does not begin', async (_, error, told) => {
    frontendConfiguration.mockRejectedValue(error);
    signIn.mockRejectedValue(error);
    await open();
    await act(async () => {
      fireEvent.click(google() as HTMLElement);
    });
    expect(said()).toEqual([told]);
  });
});
