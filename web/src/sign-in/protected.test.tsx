// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { landingOf } from '../session/landing';
import type { Role } from '../session/roles';
import type { Session } from '../session/session';
import type { Grant } from '../session/user';
import { deferred } from '../testing/fake-clock';
import { Refused, SessionParts } from '../testing/session-parts';
import { UiProvider } from '../ui/provider';

let parts: SessionParts;
let session: Session;
let router: ReturnType<typeof createMemoryRouter>;

async function open(roles?: readonly Role[]) {
  vi.resetModules();
  vi.doMock('../session/current', () => ({ session }));
  const { Protected } = await import('./protected');
  // Loaded before it is asked for, it is drawn at once.
  await import('../layout/restricted-notice');
  const page = (
    <Protected roles={roles}>
      <p>the page</p>
    </Protected>
  );
  router = createMemoryRouter(
    [
      { path: '/before', element: <p>before</p> },
      { path: '/b1/calls', element: page },
      { path: '/login', element: <p>the sign-in page</p> },
    ],
    { initialEntries: ['/before', '/b1/calls?x=1'], initialIndex: 1 },
  );
  await act(async () => {
    render(
      <UiProvider nonce={undefined}>
        <RouterProvider router={router} />
      </UiProvider>,
    );
  });
}

const tick = (ms: number) =>
  act(async () => {
    parts.clock.advance(ms);
    await vi.advanceTimersByTimeAsync(ms);
  });

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  parts = new SessionParts();
  session = parts.session();
});
afterEach(() => {
  cleanup();
  vi.doUnmock('../session/current');
  vi.useRealTimers();
});

describe('a protected page', () => {
  it('waits at most 5 s for a session with no start or refresh running, then leads to sign-in and leaves no way back', async () => {
    await open();
    expect(screen.getByRole('status').textContent).toBe('Authenticating');
    await tick(4999);
    expect(screen.getByRole('status').textContent).toBe('Authenticating');
    await tick(1);
    expect(screen.getByText('the sign-in page')).toBeTruthy();
    expect(router.state.location).toMatchObject({ pathname: '/login', state: { wanted: '/b1/calls?x=1' } });
    await act(() => router.navigate(-1));
    expect(screen.getByText('before')).toBeTruthy();
  });

  it('waits for a refresh that runs, and shows itself when it succeeds', async () => {
    const answer = deferred<Grant>();
    parts.door.refresh.mockReturnValue(answer.promise);
    void session.start();
    await open();
    expect(screen.getByRole('status').textContent).toBe('Refreshing session');
    await tick(11_000);
    expect(screen.getByRole('status').textContent).toBe('Refreshing session');
    await act(async () => answer.resolve(parts.grantOf('olivia@salon.test')));
    expect(screen.getByText('the page')).toBeTruthy();
  });

  it('verifies a session that stopped loading before it was known', async () => {
    await tick(15_000);
    await open();
    expect(screen.getByRole('status').textContent).toBe('Verifying session');
    await tick(5000);
    expect(screen.getByText('the sign-in page')).toBeTruthy();
  });

  it('leads to sign-in at once when the start ended without a user, and clears the cached user', async () => {
    await parts.signedIn();
    expect(localStorage.getItem('auth')).not.toBeNull();
    session = parts.session();
    parts.door.refresh.mockRejectedValue(new Refused());
    await session.start();
    await open();
    expect(screen.getByText('the sign-in page')).toBeTruthy();
    expect(localStorage.getItem('auth')).toBeNull();
  });

  it('is shown to a cached user while the session loads', async () => {
    await parts.signedIn();
    session = parts.session();
    await open();
    expect(session.state).toMatchObject({ user: null, loading: true });
    expect(screen.getByText('the page')).toBeTruthy();
  });

  it('restricts a cached user with too low a role, without naming an administrator', async () => {
    await parts.signedIn();
    session = parts.session();
    await open(['ADMIN', 'OWNER']);
    expect(screen.getByRole('heading').textContent).toBe('Access Restricted');
    expect(screen.getByText("You don't have permission to access this page.")).toBeTruthy();
    expect(screen.queryByText(/contact your administrator/)).toBeNull();
  });

  it('restricts a signed-in user with too low a role, and says whom to contact', async () => {
    session = await parts.signedIn();
    await open(['ADMIN', 'OWNER']);
    expect(screen.getByText("You don't have permission to access this page.")).toBeTruthy();
    expect(
      screen.getByText('Please contact your administrator if you believe this is an error.'),
    ).toBeTruthy();
    // Their own first page, and not the one that offers to connect a calendar.
    const { user } = session.state;
    const back = screen.getByRole('link', { name: 'Back to where you work' });
    expect(back.getAttribute('href')).toBe(user && landingOf(user));
  });

  it('leads to sign-in when the session ends, and back afterwards unless it ended on purpose', async () => {
    session = await parts.signedIn();
    await open();
    await act(() => session.signOut());
    expect(router.state.location).toMatchObject({ pathname: '/login', state: null });
    session = await parts.signedIn();
    await open();
    await act(() => session.signInAgain());
    expect(router.state.location).toMatchObject({ pathname: '/login', state: { wanted: '/b1/calls?x=1' } });
  });
});
