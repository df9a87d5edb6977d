// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
const user = vi.hoisted(() => ({
  id: 'u',
  name: 'Olivia',
  email: 'olivia@salon.test',
  role: 'OWNER',
  provider: 'email',
  businessIds: ['b1'],
}));
vi.mock('../session/current', () => ({ api, session: { state: {} } }));
vi.mock('../session/use-session', () => ({
  useSession: () => ({ user, loading: false, complete: true }),
}));

const { Component } = await import('./callback-page');

/** In a page of a developer, where effects run twice; the flow's code never comes. */
const arrive = (search: string) =>
  mount(
    [
      {
        path: '/onboarding/oauth-callback',
        element: (
          <StrictMode>
            <Component />
          </StrictMode>
        ),
      },
      { path: '/onboarding/flow', lazy: () => new Promise<never>(() => {}) },
      { path: '*', element: null },
    ],
    `/onboarding/oauth-callback?${search}`,
  );

beforeEach(() => {
  fillJsdomGaps();
  api.mockReset();
});
afterEach(cleanup);

it('sends an answer once, takes it out of the address, and is never blank', async () => {
  let answer = (_: unknown) => {};
  api.mockReturnValue(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  const { router } = arrive('state=s1&code=c1&scope=calendar');
  await screen.findByText('Taking your answer');
  await vi.waitFor(() => expect(router.state.location.search).toBe(''));
  expect(screen.getByRole('status').textContent).toBe('Taking your answer');
  answer({});
  await screen.findByText('Loading your calendars');
  expect(api).toHaveBeenCalledTimes(1);
  expect(api.mock.calls[0]?.[0].body).toEqual({ state: 's1', allowed: true, code: 'c1' });
});

it('goes on to the flow after a reload, which has no answer any more', async () => {
  arrive('');
  await screen.findByText('Loading your calendars');
  expect(api).not.toHaveBeenCalled();
});

it('says that nothing is kept after a denial', async () => {
  api.mockResolvedValue({});
  arrive('state=s1&error=access_denied');
  await screen.findByText('You denied access. Nothing was read, and nothing is kept.');
  expect(api.mock.calls[0]?.[0].body).toMatchObject({ state: 's1' });
});

it('says why an answer does not count', async () => {
  api.mockRejectedValue(refused(400, 'INVALID_FIELD', '', [{ field: 'state', description: 'is over' }]));
  arrive('state=s1&code=c1');
  await screen.findByText('This answer came too late, or was already given. Begin again.');
  await screen.findByRole('link', { name: 'Begin again' });
});
