// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { VoiceConnectionSchema, VoicePlatform } from '../gen/frontdesk/tenancy/v1/voice_connection_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';

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

const { RotateSecretDialog } = await import('./rotate-secret-dialog');

const sent = () =>
  api.mock.calls.flatMap(([request]) => (request.path.endsWith(':rotate-secret') ? request : []));

function open(platform: VoicePlatform) {
  fillJsdomGaps();
  dialogsWork();
  api.mockResolvedValue({});
  const connection = create(VoiceConnectionSchema, { id: 'c1', label: 'Main line', platform });
  const Component = () => (
    <RotateSecretDialog businessId="b1" connection={connection} onClose={() => undefined} />
  );
  mount([{ path: '/', Component }], '/');
}

beforeEach(() => api.mockReset());
afterEach(cleanup);

it('takes a key for the platform’s API without the secret that no one can read again', async () => {
  open(VoicePlatform.ELEVENLABS);
  fireEvent.change(await screen.findByLabelText('API key'), { target: { value: ' sk-1 ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Replace' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(JSON.stringify(sent())).toContain('sk-1');
  expect(JSON.stringify(sent())).not.toMatch(/"secret":"[^"]/);
});

it('wants one of the two, and the secret where the platform has no other key', async () => {
  open(VoicePlatform.ELEVENLABS);
  fireEvent.click(await screen.findByRole('button', { name: 'Replace' }));
  await screen.findByText('Enter the new one, or a new API key.');
  screen.getByRole('heading', { name: 'New secret or key of Main line' });
  cleanup();
  open(VoicePlatform.TWILIO);
  fireEvent.click(await screen.findByRole('button', { name: 'Replace' }));
  await screen.findByText('Enter the new one.');
  screen.getByRole('heading', { name: 'New secret of Main line' });
  expect(screen.queryByLabelText('API key')).toBeNull();
  expect(sent()).toHaveLength(0);
});
