// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../http/errors';
import { refused } from '../testing/mount';
import { UiProvider } from '../ui/provider';
import { sessionToasts } from '../ui/toasts';

const resetPassword = vi.hoisted(() => vi.fn());
vi.mock('../session/current', () => ({ door: { resetPassword } }));

const { Component } = await import('./reset-password-page');

const FAILED = 'Failed to reset your password';

function open(search: string) {
  window.history.replaceState(null, '', `/reset-password${search}`);
  const router = createMemoryRouter(
    [
      { path: '/reset-password', Component },
      { path: '/login', element: <p>the sign-in page</p> },
    ],
    { initialEntries: ['/reset-password'] },
  );
  render(
    <UiProvider nonce={undefined}>
      <RouterProvider router={router} />
    </UiProvider>,
  );
}

async function save(password: string, again = password) {
  fireEvent.change(await screen.findByLabelText('New password'), { target: { value: password } });
  fireEvent.change(screen.getByLabelText('New password again'), { target: { value: again } });
  fireEvent.click(screen.getByRole('button', { name: 'Save password' }));
}

beforeEach(() => {
  resetPassword.mockReset();
});
afterEach(() => {
  cleanup();
  for (const { id } of sessionToasts.list) sessionToasts.dismiss(id);
});

describe('the reset-password page', () => {
  it('takes the token out of the address before anything else', async () => {
    open('?token=secret-token');
    await screen.findByLabelText('New password');
    expect(window.location.search).toBe('');
    expect(window.location.pathname).toBe('/reset-password');
  });

  it('saves the password, says so in the door’s words and goes to sign-in', async () => {
    resetPassword.mockResolvedValue('All set.');
    open('?token=secret-token');
    await save('a long enough one');
    await screen.findByText('the sign-in page');
    expect(resetPassword).toHaveBeenCalledWith('secret-token', 'a long enough one', '');
    expect(sessionToasts.list.map(({ text }) => text)).toEqual(['All set.']);
  });

  it('asks the first administrator for their name, and sends it along', async () => {
    resetPassword.mockResolvedValue('All set.');
    open('?token=secret-token&name=ask');
    await screen.findByRole('heading', { name: 'Welcome to Frontdesk' });
    await save('a long enough one');
    await screen.findByText('Enter your name.');
    expect(resetPassword).not.toHaveBeenCalled();
    fireEvent.change(screen.getByLabelText('Your name'), { target: { value: ' Ada Admin ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save password' }));
    await screen.findByText('the sign-in page');
    expect(resetPassword).toHaveBeenCalledWith('secret-token', 'a long enough one', 'Ada Admin');
  });

  it('asks for a longer password, and for the same one twice', async () => {
    open('?token=secret-token');
    await save('short', 'other');
    await screen.findByText('Use at least 8 characters.');
    await save('long enough', 'something else');
    await screen.findByText('The passwords differ.');
    expect(resetPassword).not.toHaveBeenCalled();
  });

  it('says under the field what the door has against the password', async () => {
    const description = 'The new password must have 8 to 128 characters.';
    resetPassword.mockRejectedValue(
      refused(400, 'INVALID_FIELD', description, [{ field: 'newPassword', description }]),
    );
    open('?token=secret-token');
    await save('a long enough one');
    await screen.findByText(description);
    expect(screen.getByLabelText('New password').getAttribute('aria-invalid')).toBe('true');
    expect(sessionToasts.list.map(({ tone, text }) => [tone, text])).toEqual([['bad', description]]);
  });

  it('offers a new link when this one is spent', async () => {
    resetPassword.mockRejectedValue(refused(401, 'TOKEN_SPENT', 'This link was used already.'));
    open('?token=secret-token');
    await save('a long enough one');
    await screen.findByRole('heading', { name: 'This link no longer works' });
    const way = screen.getByRole('link', { name: 'Ask for a new link' });
    expect(way.getAttribute('href')).toBe('/forgot-password');
    expect(sessionToasts.list.map(({ text }) => text)).toEqual(['This link was used already.']);
  });

  it.each([
    ['the server’s message', refused(503, 'UNAVAILABLE', 'auth is down'), 'auth is down'],
    ['that it failed where the server says nothing', refused(500, 'INTERNAL', ''), FAILED],
    ['that it failed where the server is out of reach', new ApiError('', { kind: 'unreachable' }), FAILED],
    ['that it failed where the server takes too long', new ApiError('', { kind: 'timeout' }), FAILED],
  ])('keeps the form and tells %s', async (_, error, told) => {
    resetPassword.mockRejectedValue(error);
    open('?token=secret-token');
    await save('a long enough one');
    await screen.findByText(told);
    expect(screen.getByLabelText('New password')).toBeTruthy();
    expect(sessionToasts.list.map(({ text }) => text)).toEqual([told]);
  });

  it('says what is missing when the link is not whole', async () => {
    open('');
    await screen.findByRole('heading', { name: 'This link is not complete' });
  });
});
