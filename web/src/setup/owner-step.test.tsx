// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListInvitationsResponseSchema } from '../gen/frontdesk/auth/v1/member_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { OwnerStep } = await import('./owner-step');

const step = { businessId: 'b', zone: 'UTC', next: undefined, onDone: () => undefined };

function open(invitations: () => Promise<unknown>) {
  fillJsdomGaps();
  api.mockImplementation(async ({ path }) => (path.endsWith('/invitations') ? invitations() : {}));
  mount([{ path: '/', element: <OwnerStep {...step} /> }], '/');
}
const skip = () => screen.queryByRole('button', { name: 'Skip for now' });

beforeEach(() => {
  api.mockReset();
});
afterEach(cleanup);

it('can be skipped once it is known that no one is invited', async () => {
  open(async () => ({}));
  await screen.findByRole('button', { name: 'Skip for now' });
  expect(screen.queryByText('No open invitations')).toBeNull();
});

it('is not skipped while it is not known who is invited, and says why it is not', async () => {
  open(async () => {
    throw refused(400, 'FAILED');
  });
  await screen.findByText('The invitations can’t be shown');
  expect(skip()).toBeNull();
});

it('goes on where an owner is invited', async () => {
  const invitations = [{ id: 'i1', email: 'ada@salon.test', role: 'OWNER' }];
  const schema = ListInvitationsResponseSchema;
  open(async () => toJson(schema, create(schema, { invitations })));
  await screen.findByRole('button', { name: 'Go on' });
  expect(skip()).toBeNull();
});
