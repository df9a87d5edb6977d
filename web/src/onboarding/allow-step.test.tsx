// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { ConsentState, ListConsentsResponseSchema } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import type { Outgoing } from '../http/transport';
import type { User } from '../session/user';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({ api, session: { state: {} } }));

const { AllowStep } = await import('./allow-step');

const user = {
  id: 'u',
  name: 'Olivia',
  email: 'olivia@salon.test',
  role: 'OWNER',
  provider: 'email',
  businessIds: ['b1'],
} satisfies User;

async function offered(...kinds: CalendarKind[]) {
  const told = { consents: kinds.map((kind) => ({ kind, state: ConsentState.NOT_GIVEN })) };
  api.mockResolvedValue(toJson(ListConsentsResponseSchema, create(ListConsentsResponseSchema, told)));
  mount(
    [
      { path: '/onboarding/flow', element: <AllowStep user={user} /> },
      { path: '*', element: null },
    ],
    '/onboarding/flow',
  );
  await vi.waitFor(() => expect(screen.queryByText('Loading what can be connected')).toBeNull());
  const buttons = screen.queryAllByRole('button').map((button) => button.textContent);
  const simulated = screen.queryByText(/consent is simulated/) !== null;
  const nothing = screen.queryByText(/^No calendar account can be used here yet/) !== null;
  cleanup();
  return { buttons, simulated, nothing };
}

beforeEach(fillJsdomGaps);
afterEach(cleanup);

it('offers the consents that the installation can ask for, and says when there is none', async () => {
  expect(await offered(CalendarKind.GOOGLE, CalendarKind.DEMO)).toEqual({
    buttons: ['Use Google Calendar', 'Use the demo calendar'],
    simulated: true,
    nothing: false,
  });
  expect(await offered(CalendarKind.GOOGLE)).toEqual({
    buttons: ['Use Google Calendar'],
    simulated: false,
    nothing: false,
  });
  expect(await offered()).toEqual({ buttons: [], simulated: false, nothing: true });
});
