// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { SessionState } from '../session/session';
import type { User } from '../session/user';
import { mount } from '../testing/mount';

const session = vi.hoisted(() => ({ state: {} as Partial<SessionState>, subscribe: () => () => undefined }));
vi.mock('../session/current', () => ({ session }));
vi.mock('../runtime', () => ({
  runtime: () => ({
    environment: 'development',
    version: '1',
    apiBaseUrl: '/api',
    webSocketUrl: '/ws',
    renewalThresholdMs: 600_000,
    reports: { vitals: false, traces: false },
  }),
}));
vi.mock('./checks', () => {
  const check = async () => ({ state: 'good', text: 'Answered' });
  return { checkClock: check, checkServer: check, checkSocket: check, checkStorage: check };
});

const { Component: DebugPage } = await import('./debug-page');

const OWNER: User = {
  id: 'u1',
  name: 'Olivia',
  email: 'olivia@salon.test',
  role: 'OWNER',
  provider: 'email',
  businessIds: [],
};

async function told(state: Partial<SessionState>) {
  session.state = { user: null, loading: false, refreshing: false, complete: true, ...state };
  mount([{ path: '/', element: <DebugPage /> }], '/');
  await screen.findAllByText('Answered');
  const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
  const values = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  return Object.fromEntries(terms.map((term, index) => [term, values[index]]));
}

afterEach(cleanup);

it('tells of no session where no one is signed in', async () => {
  expect(await told({})).toMatchObject({ 'Signed in as': 'No one', Session: 'None' });
});

it('tells of an open session and whose it is', async () => {
  expect(await told({ user: OWNER })).toMatchObject({
    'Signed in as': 'olivia@salon.test (OWNER)',
    Session: 'Open',
  });
});

it('tells of no session as long as the start has no answer', async () => {
  expect(await told({ loading: true, complete: false })).toMatchObject({ Session: 'Loading' });
});
