// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from './testing/fake-clock';
import { SessionParts } from './testing/session-parts';
import { UiProvider } from './ui/provider';

const session = vi.hoisted(() => ({}) as { now: never });
vi.mock('./session/current', () => ({
  get session() {
    return session.now;
  },
}));
vi.mock('./account/device-question', () => ({ DeviceQuestion: () => null }));
vi.mock('./dev-panels/dev-panels', () => ({ DevPanels: () => null }));

const { Root } = await import('./root');
const { Crash, PageCrash } = await import('./layout/crash');
const { SlowPage } = await import('./layout/slow-page');

let parts: SessionParts;
const reported = vi.fn();

function Broken(): never {
  throw new Error('the page broke');
}

beforeEach(async () => {
  parts = new SessionParts();
  session.now = parts.session() as never;
  window.scrollTo = () => undefined;
  globalThis.reportError = reported.mockReset();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function open(routes: Parameters<typeof createMemoryRouter>[0]) {
  const router = createMemoryRouter(routes);
  await act(async () => {
    render(
      <UiProvider nonce={undefined}>
        <RouterProvider router={router} />
      </UiProvider>,
    );
  });
  return router;
}

describe('a page that breaks', () => {
  const words = ['Something went wrong.', "We're working to fix the issue. Please try again later."];

  it('says so in the specified words, and reports the error', async () => {
    await open([{ path: '/', Component: Broken, ErrorBoundary: Crash }]);
    for (const text of words) expect(screen.getByText(text)).toBeTruthy();
    expect(reported.mock.calls[0]?.[0]).toMatchObject({ message: 'the page broke' });
  });

  it('keeps the frame around it', async () => {
    await open([
      {
        path: '/',
        Component: Root,
        ErrorBoundary: Crash,
        children: [{ ErrorBoundary: PageCrash, children: [{ index: true, Component: Broken }] }],
      },
    ]);
    for (const text of words) expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Notifications' })).toBeTruthy();
  });
});

describe('the way to a page that takes long', () => {
  it('keeps the previous page for 1500 ms, then shows the next one’s placeholder', async () => {
    vi.useFakeTimers();
    const next = deferred<null>();
    const router = await open([
      { path: '/', element: <SlowPage>before</SlowPage>, children: [] },
      { path: '/my/businesses', loader: () => next.promise, element: <p>after</p> },
    ]);
    act(() => void router.navigate('/my/businesses'));
    await act(() => vi.advanceTimersByTimeAsync(1499));
    expect(screen.getByText('before')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.queryByText('before')).toBeNull();
    expect(screen.getByText('Loading page')).toBeTruthy();
    await act(async () => next.resolve(null));
    expect(screen.getByText('after')).toBeTruthy();
  });
});

describe('a session that is about to end', () => {
  it('is announced above every page, and only then', async () => {
    parts.door.refresh.mockResolvedValue({ ...parts.grantOf('olivia@salon.test'), sessionSecondsLeft: 3600 });
    const current = parts.session();
    session.now = current as never;
    await current.start();
    await open([{ path: '/', Component: Root, children: [{ index: true, element: <p>the page</p> }] }]);
    expect(screen.queryByText(/You will be signed out/)).toBeNull();
    parts.door.refresh.mockRejectedValue(new Error('offline'));
    await act(async () => parts.clock.advance(30 * 60_000));
    expect(await screen.findByText(/You will be signed out at/)).toBeTruthy();
    expect(screen.getByText('the page')).toBeTruthy();
  });
});
