// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, it, vi } from 'vitest';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { ConsentState, ListConsentsResponseSchema } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import type { Outgoing } from '../http/transport';
import type { User } from '../session/user';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({ api, session: { state: {} } }));
vi.mock('../api/query-client', async () => {
  const { QueryClient } = await import('@tanstack/react-query');
  return { queries: new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 0 } } }) };
});

const { queries } = await import('../api/query-client');
const { CalendarSetup } = await import('./calendar-setup');

const user = {
  id: 'u',
  name: 'Olivia',
  email: 'olivia@salon.test',
  role: 'OWNER',
  provider: 'email',
  businessIds: ['b1'],
} satisfies User;

function open(kinds: CalendarKind[]) {
  const told = { consents: kinds.map((kind) => ({ kind, state: ConsentState.NOT_GIVEN })) };
  api.mockResolvedValue(toJson(ListConsentsResponseSchema, create(ListConsentsResponseSchema, told)));
  const routes = [
    { path: '/onboarding', element: <CalendarSetup user={user} /> },
    { path: '/b1', element: <p>the business</p> },
  ];
  mount(routes, '/onboarding');
}

beforeEach(() => {
  fillJsdomGaps();
  queries.clear();
});
afterEach(cleanup);

it('is offered only where a calendar can be allowed at all', async () => {
  open([]);
  await screen.findByText('the business');
  for (const kind of [CalendarKind.DEMO, CalendarKind.GOOGLE]) {
    cleanup();
    queries.clear();
    open([kind]);
    await screen.findByText('Set up your calendar');
  }
});
