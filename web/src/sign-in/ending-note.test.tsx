// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UiProvider } from '../ui/provider';

const signInAgain = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock('../session/current', () => ({ session: { signInAgain } }));

const { default: EndingNote } = await import('./ending-note');

function SignInPage() {
  return <p>wanted: {JSON.stringify(useLocation().state)}</p>;
}

function open() {
  const routes = [
    { path: '/b1/calls', element: <EndingNote endingAt={new Date(2026, 2, 1, 14, 32).getTime()} /> },
    { path: '/login', Component: SignInPage },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/b1/calls?x=1'] });
  render(
    <UiProvider nonce={undefined}>
      <RouterProvider router={router} />
    </UiProvider>,
  );
}

afterEach(cleanup);

describe('the note of the session’s end', () => {
  it('says calmly when it comes', async () => {
    open();
    expect((await screen.findByRole('status')).textContent).toMatch(
      /^You will be signed out at (14:32|0?2:32\sPM)\. /,
    );
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('leads to signing in again, and back to the page', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Sign in again' }));
    await screen.findByText('wanted: {"wanted":"/b1/calls?x=1"}');
    expect(signInAgain).toHaveBeenCalledTimes(1);
  });

  it('goes away when it is for later', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Later' }));
    expect(screen.queryByRole('status')).toBeNull();
  });
});
