// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mount, refused } from '../testing/mount';

const forgotPassword = vi.hoisted(() => vi.fn());
vi.mock('../session/current', () => ({ door: { forgotPassword } }));

const { Component } = await import('./forgot-password-page');

function ask(email: string) {
  fireEvent.change(screen.getByLabelText('E-mail'), { target: { value: email } });
  fireEvent.click(screen.getByRole('button', { name: 'Send the link' }));
}

beforeEach(() => {
  forgotPassword.mockReset().mockResolvedValue('A link is on its way, if there is an account.');
  mount([{ path: '/forgot-password', Component }], '/forgot-password');
});
afterEach(cleanup);

describe('the forgot-password page', () => {
  it('sends the address and shows the door’s words, which are the same for every address', async () => {
    ask('  olivia@demo.test ');
    await screen.findByText('A link is on its way, if there is an account.');
    expect(forgotPassword).toHaveBeenCalledWith('olivia@demo.test');
    expect(screen.getByRole('link', { name: 'Go to sign in' }).getAttribute('href')).toBe('/login');
  });

  it('takes the address of the sign-in page along, and hands it back', async () => {
    cleanup();
    const { router } = mount(
      [
        { path: '/forgot-password', Component },
        { path: '/login', element: <p>the sign-in page</p> },
      ],
      { pathname: '/forgot-password', state: { email: 'olivia@demo.test', wanted: '/b1/calls' } },
    );
    expect(screen.getByLabelText('E-mail')).toHaveProperty('value', 'olivia@demo.test');
    fireEvent.change(screen.getByLabelText('E-mail'), { target: { value: 'o@demo.test' } });
    fireEvent.click(screen.getByRole('link', { name: 'Back to sign in' }));
    await screen.findByText('the sign-in page');
    expect(router.state.location).toMatchObject({
      search: '',
      state: { email: 'o@demo.test', wanted: '/b1/calls' },
    });
  });

  it('begins in its field, and after it at the beginning of what came of it', async () => {
    expect(document.activeElement).toBe(screen.getByLabelText('E-mail'));
    ask('olivia@demo.test');
    await screen.findByRole('heading', { name: 'Check your e-mail' });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
  });

  it('asks for an address before it asks the door', async () => {
    ask('olivia');
    await screen.findByText('Enter your e-mail address.');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('E-mail')));
    expect(forgotPassword).not.toHaveBeenCalled();
  });

  it('allows another attempt after a failure', async () => {
    forgotPassword.mockRejectedValueOnce(refused(503, 'BUSY', 'Please wait a moment.'));
    ask('olivia@demo.test');
    await screen.findByText('Please wait a moment.');
    ask('olivia@demo.test');
    await screen.findByRole('heading', { name: 'Check your e-mail' });
  });
});
