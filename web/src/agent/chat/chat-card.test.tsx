// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { GetAgentSettingsResponseSchema } from '../../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { fillJsdomGaps } from '../../testing/jsdom-gaps';
import { mount } from '../../testing/mount';

const agentSpeaks = vi.hoisted(() => vi.fn<() => boolean>());
vi.mock('../../runtime', async (real) => ({ ...(await real<object>()), agentSpeaks }));
vi.mock('../../session/current', () => ({
  api: async () => ({}),
  session: {
    state: { user: { email: 'ada@demo.test', role: 'ADMIN' } },
    subscribe: () => () => undefined,
    onEnd: () => () => undefined,
    renew: async () => 'token',
  },
  tabStorage: undefined,
}));

const { ChatCard } = await import('./chat-card');

function open() {
  fillJsdomGaps();
  const told = create(GetAgentSettingsResponseSchema, {});
  mount([{ path: '/', Component: () => <ChatCard businessId="b1" told={told} /> }], '/');
}

afterEach(cleanup);

it('offers a chat where the agent has a model, and says what is missing where it has none', async () => {
  agentSpeaks.mockReturnValue(true);
  open();
  await screen.findByRole('button', { name: 'Start a chat' });
  cleanup();
  agentSpeaks.mockReturnValue(false);
  open();
  await screen.findByText(/An administrator has to configure/);
  expect(screen.queryByRole('button')).toBeNull();
});
