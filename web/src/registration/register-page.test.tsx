// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Invitation } from '../session/door';
import type { User } from '../session/user';
import { mount, refused } from '../testing/mount';
import { sessionToasts } from '../ui/toasts';

const state = vi.hoisted(() => ({
  user: null as User | null,
  loading: false,
  complete: true,
}));
const door = vi.hoisted(() => ({ invitation: vi.fn(), register: vi.fn() }));
const session = vi.hoisted(() => ({
  state,
  subscribe: () => () => undefined,
  hadSession: false,
  signIn: vi.fn(),
  signOut: vi.fn(),
  renew: vi.fn(),
}));
const api = vi.hoisted(() => vi.fn());
vi.mock('../session/current', () => ({ door, session, api }));

const { Component } = await import('./register-page');
const { pendingConfirmation, pendingInvitation } = await import('./pending');

const BUSINESS = '01900000-0000-7000-8000-000000000001';
const offer: Invitation = {
  email: 'nadia@demo.test',
  businessName: 'Willow & Co',
  role: 'EMPLOYEE',
  hasAccount: false,
};
const nadia: User = {
  id: 'n',
  name: 'Nadia',
  email: 'Nadia@demo.test',
  role: 'EMPLOYEE',
  provider: 'email',
  businessIds: [BUSINESS],
};

function open(search: string, state: object | null = null) {
  window.history.replaceState(null, '', `/register${search}`);
  const { router } = mount(
    [
      { path: '/register', Component },
      { path: '/login', element: <p>the sign-in page</p> },
      { path: '/forgot-password', element: <p>the page of a forgotten password</p> },
      { path: '/:businessId', element: <p>the business</p> },
    ],
    { pathname: '/register', state },
  );
  return router;
}

async function fill(fields: Record<string, string>, button: string) {
  await screen.findByRole('button', { name: button });
  for (const [label, value] of Object.entries(fields)) {
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  }
  fireEvent.click(screen.getByRole('button', { name: button }));
}

beforeEach(() => {
  state.user = null;
  door.invitation.mockReset().mockResolvedValue(offer);
  door.register.mockReset().mockResolvedValue('Look into your e-mail, please.');
  session.signIn.mockReset().mockResolvedValue(nadia);
  session.signOut.mockReset().mockResolvedValue(undefined);
  session.renew.mockReset().mockResolvedValue('token');
  api.mockReset().mockResolvedValue({});
});
afterEach(() => {
  cleanup();
  pendingInvitation.drop();
  pendingConfirmation.drop();
});

describe('registering', () => {
  it('creates an account and says what to do next', async () => {
    open('');
    await fill(
      { 'Your name': 'Nadia', 'E-mail': 'nadia@demo.test', Password: 'teapot and co' },
      'Create account',
    );
    await screen.findByText('Look into your e-mail, please.');
    expect(door.register).toHaveBeenCalledWith({
      name: 'Nadia',
      email: 'nadia@demo.test',
      password: 'teapot and co',
    });
  });

  it('begins with the address typed at the sign-in, and hands it back there', async () => {
    const router = open('', { email: 'nadia@demo.test' });
    expect(await screen.findByLabelText('E-mail')).toHaveProperty('value', 'nadia@demo.test');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Your name')));
    fireEvent.click(screen.getByRole('link', { name: 'Sign in' }));
    await screen.findByText('the sign-in page');
    expect(router.state.location.state).toMatchObject({ email: 'nadia@demo.test' });
  });

  it('reports missing fields without a request', async () => {
    open('');
    await fill({ 'Your name': ' ', 'E-mail': 'nadia', Password: 'short' }, 'Create account');
    await screen.findByText('Enter your name.');
    await screen.findByText('Enter your e-mail address.');
    await screen.findByText('Use at least 8 characters.');
    expect(door.register).not.toHaveBeenCalled();
  });

  it('shows the server’s refusal of a field under that field', async () => {
    const description = 'The password appears in lists of stolen passwords.';
    door.register.mockRejectedValue(refused(400, 'INVALID_FIELD', '', [{ field: 'password', description }]));
    open('');
    await fill({ 'Your name': 'N', 'E-mail': 'n@demo.test', Password: 'password1' }, 'Create account');
    await screen.findByText(description);
  });

  it('redirects a signed-in user', async () => {
    state.user = nadia;
    open('');
    await screen.findByText('the business');
  });
});

describe('an invitation', () => {
  it('shows the salon, the role and the address, which cannot be changed', async () => {
    open('?invitation=secret');
    await screen.findByText('Willow & Co');
    expect(screen.getByText('Employee')).toBeTruthy();
    expect(screen.getByLabelText('E-mail')).toHaveProperty('readOnly', true);
    expect(screen.getByLabelText('E-mail')).toHaveProperty('value', 'nadia@demo.test');
    expect(window.location.search).toBe('');
    expect(door.invitation).toHaveBeenCalledWith('secret');
  });

  it('becomes an account that is signed in and at the business', async () => {
    open('?invitation=secret');
    await fill({ 'Your name': 'Nadia', Password: 'teapot and co' }, 'Create account and join');
    await screen.findByText('the business');
    expect(door.register.mock.calls).toEqual([
      [{ name: 'Nadia', email: 'nadia@demo.test', password: 'teapot and co', invitation: 'secret' }],
    ]);
    expect(session.signIn).toHaveBeenCalledWith('nadia@demo.test', 'teapot and co');
    expect(pendingInvitation.token).toBe('');
  });

  it('leads to sign-in when only that did not work', async () => {
    session.signIn.mockRejectedValue(refused(503, 'BUSY'));
    open('?invitation=secret');
    await fill({ 'Your name': 'Nadia', Password: 'teapot and co' }, 'Create account and join');
    await screen.findByText('the sign-in page');
  });

  it('waits while the person of an existing account signs in', async () => {
    door.invitation.mockResolvedValue({ ...offer, hasAccount: true });
    open('?invitation=secret');
    fireEvent.click(await screen.findByRole('link', { name: 'Sign in to accept' }));
    await screen.findByText('the sign-in page');
    expect(pendingInvitation.token).toBe('secret');
  });

  it.each([
    ['for a new account', offer],
    ['for an account there is', { ...offer, hasAccount: true }],
  ])('%s can be set aside for another account', async (_, offered) => {
    door.invitation.mockResolvedValue(offered);
    open('?invitation=secret');
    fireEvent.click(await screen.findByRole('link', { name: 'Use another account' }));
    await screen.findByRole('heading', { name: 'Create an account' });
    expect(screen.getByLabelText('E-mail')).toHaveProperty('readOnly', false);
    expect(pendingInvitation.token).toBe('');
  });

  it('says that the server was not reached when another user signs out to accept it', async () => {
    state.user = { ...nadia, email: 'olivia@demo.test' };
    session.signOut.mockRejectedValue(refused(503, 'UNAVAILABLE'));
    open('?invitation=secret');
    fireEvent.click(await screen.findByRole('button', { name: 'Sign out and go on' }));
    await waitFor(() => expect(sessionToasts.list[0]?.text).toMatch(/the server may not know yet/));
    sessionToasts.clear();
  });

  it('is accepted by the person it is for, whose next token knows the business', async () => {
    state.user = nadia;
    door.invitation.mockResolvedValue({ ...offer, hasAccount: true });
    api.mockResolvedValue({ businessId: BUSINESS });
    pendingInvitation.keep('secret');
    open('');
    fireEvent.click(await screen.findByRole('button', { name: 'Accept invitation' }));
    await screen.findByText('the business');
    expect(api.mock.calls[0]?.[0]).toMatchObject({
      verb: 'POST',
      path: '/v1/me:acceptInvitation',
      body: { invitation: 'secret' },
    });
    expect(session.renew).toHaveBeenCalled();
    expect(pendingInvitation.token).toBe('');
  });

  it('starts an account with an unconfirmed address over, even for a user signed in to it', async () => {
    state.user = nadia;
    open('?invitation=secret');
    await fill({ 'Your name': 'Nadia', Password: 'teapot and co' }, 'Create account and join');
    await screen.findByText('the business');
    expect(door.register).toHaveBeenCalledTimes(1);
    expect(session.signIn).toHaveBeenCalledWith('nadia@demo.test', 'teapot and co');
  });

  it('is not accepted for another account', async () => {
    state.user = { ...nadia, email: 'olivia@demo.test' };
    open('?invitation=secret');
    await screen.findByText(/You are signed in as olivia@demo.test/);
    expect(screen.queryByRole('button', { name: 'Accept invitation' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Sign out and go on' }));
    await waitFor(() => expect(session.signOut).toHaveBeenCalled());
  });

  it('says so when it no longer works, and is dropped', async () => {
    door.invitation.mockRejectedValue(refused(401, 'TOKEN_SPENT'));
    open('?invitation=secret');
    await screen.findByRole('heading', { name: 'This invitation no longer works' });
    expect(pendingInvitation.token).toBe('');
  });

  it('can be asked for again when the door was out of reach', async () => {
    door.invitation.mockRejectedValueOnce(refused(503, 'UNAVAILABLE'));
    open('?invitation=secret');
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByText('Willow & Co');
  });
});

describe('confirming an address', () => {
  const sent = () => api.mock.calls.map(([request]) => request);

  it('sends the token once for a signed-in user, after removing it from the address, and renews their access token', async () => {
    state.user = nadia;
    open('?confirm=secret');
    await screen.findByRole('heading', { name: 'Your address is confirmed' });
    expect(sent()).toMatchObject([{ verb: 'POST', path: '/auth/verify-email', body: { token: 'secret' } }]);
    expect(window.location.search).toBe('');
    expect(pendingConfirmation.token).toBe('');
    expect(session.renew).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('link', { name: 'Go to your account' })).toBeTruthy();
  });

  it('asks an anonymous user to sign in first, and keeps the token out of every address meanwhile', async () => {
    const router = open('?confirm=secret');
    fireEvent.click(await screen.findByRole('link', { name: 'Sign in' }));
    await screen.findByText('the sign-in page');
    expect(router.state.location.state).toMatchObject({ wanted: '/register' });
    expect(window.location.href).not.toContain('secret');
    expect(localStorage.length).toBe(0);
    expect(sent()).toEqual([]);
    state.user = nadia;
    await router.navigate('/register');
    await screen.findByRole('heading', { name: 'Your address is confirmed' });
    expect(sent()).toHaveLength(1);
  });

  it('shows a user who never registered how to set a password', async () => {
    open('?confirm=secret');
    await screen.findByRole('heading', { name: 'Sign in to confirm your address' });
    fireEvent.click(screen.getByRole('link', { name: 'Set a password of your own' }));
    await screen.findByText('the page of a forgotten password');
    expect(pendingConfirmation.token).toBe('');
  });

  it('can be left for later', async () => {
    open('?confirm=secret');
    fireEvent.click(await screen.findByRole('link', { name: 'Not now' }));
    await screen.findByText('the sign-in page');
    expect(pendingConfirmation.token).toBe('');
  });

  it('is not confirmed for another account, whose user may sign out for it', async () => {
    state.user = nadia;
    api.mockRejectedValue(refused(403, 'WRONG_ACCOUNT'));
    open('?confirm=secret');
    await screen.findByText(/You are signed in as Nadia@demo.test/);
    fireEvent.click(screen.getByRole('button', { name: 'Sign out and go on' }));
    await waitFor(() => expect(session.signOut).toHaveBeenCalled());
    expect(pendingConfirmation.token).toBe('secret');
    sessionToasts.clear();
  });

  it('says where a new link is when this one is spent', async () => {
    state.user = nadia;
    api.mockRejectedValue(refused(401, 'TOKEN_SPENT'));
    open('?confirm=secret');
    await screen.findByRole('heading', { name: 'This link no longer works' });
    expect(pendingConfirmation.token).toBe('');
  });

  it('can be tried again when nothing was decided', async () => {
    state.user = nadia;
    api.mockRejectedValueOnce(refused(503, 'UNAVAILABLE'));
    open('?confirm=secret');
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { name: 'Your address is confirmed' });
  });

  it('makes way for an invitation that is opened after it', async () => {
    pendingConfirmation.keep('secret');
    open('?invitation=later');
    await screen.findByText('Willow & Co');
    expect(pendingConfirmation.token).toBe('');
  });
});
