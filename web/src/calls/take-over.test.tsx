// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CallSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: {
    state: { user: { email: 'ada@demo.test', role: 'ADMIN' } },
    subscribe: () => () => undefined,
    onEnd: () => () => undefined,
    renew: async () => 'token',
  },
  tabStorage: undefined,
}));

const { TakeOverCard } = await import('./take-over');

const BUSINESS = '01900000-0000-7000-8000-000000000001';
const taken = () => api.mock.calls.filter(([{ path }]) => path.endsWith(':take-over'));

afterEach(cleanup);

it('says why a call was not taken over, tried once, whatever hinders it then', async () => {
  fillJsdomGaps();
  api.mockImplementation(async ({ path }) => {
    if (path.endsWith(':take-over')) throw refused(503, 'UNAVAILABLE');
    if (path.includes('/calls/c1'))
      return taken().length > 0 ? { hindrance: 'TAKE_OVER_HINDRANCE_UNDER_WAY' } : { phone: '+442071234567' };
    return {};
  });
  const Component = () => <TakeOverCard businessId={BUSINESS} call={create(CallSchema, { id: 'c1' })} />;
  mount([{ path: '/', Component }], '/');
  fireEvent.click(await screen.findByRole('button', { name: /^Take the call over/ }));
  await screen.findByText('The caller is being put through.');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'A part of Frontdesk can’t be reached right now.',
  );
  expect(taken()).toHaveLength(1);
});
