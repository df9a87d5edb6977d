// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RollBackAgentSettingsResponseSchema } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import type { Outgoing } from '../http/transport';
import { dialogsWork, mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { PublishAgain } = await import('./publish-again');

const sent = () => api.mock.calls.map(([request]) => request.body);

beforeEach(() => {
  dialogsWork();
  const schema = RollBackAgentSettingsResponseSchema;
  api.mockReset().mockResolvedValue(toJson(schema, create(schema, { published: { version: 5 } })));
});
afterEach(cleanup);

function press(isAhead: boolean) {
  const draft = { revision: 7n, isAhead };
  mount([{ path: '/', element: <PublishAgain businessId="b" version={3} draft={draft} /> }], '/');
  fireEvent.click(screen.getByRole('button', { name: /^Publish again/ }));
}

it('publishes at once where the draft has nothing to lose', async () => {
  press(false);
  await vi.waitFor(() => expect(sent()).toEqual([expect.objectContaining({ revision: '7' })]));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('asks before it replaces a draft that was never published', async () => {
  press(true);
  const dialog = await screen.findByRole('dialog', { name: 'Publish version 3 again?' });
  expect(sent()).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Keep the draft' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([]);
});

it('says in its question why a colleague’s draft was not replaced', async () => {
  press(true);
  const dialog = await screen.findByRole('dialog');
  api.mockRejectedValue(refused(409, 'STALE', 'the record was changed since it was seen'));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Replace the draft' }));
  await within(dialog).findByRole('alert');
  expect(sent()).toEqual([expect.objectContaining({ revision: '7' })]);
});
