// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type ErasureSchema, ListOpenErasuresResponseSchema } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import type { Outgoing } from '../http/transport';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));
vi.mock('../business/use-zone', () => ({ useZone: () => 'UTC' }));

const { OpenErasures } = await import('./open-erasures');

const BUSINESS = '01900000-0000-7000-8000-000000000001';

function shown(...erasures: MessageInitShape<typeof ErasureSchema>[]) {
  api.mockImplementation(async () =>
    toJson(ListOpenErasuresResponseSchema, create(ListOpenErasuresResponseSchema, { erasures })),
  );
  return mount([{ path: '/', element: <OpenErasures businessId={BUSINESS} /> }], '/');
}

afterEach(cleanup);

it('leads to each erasure that has not ended, and says what it waits for', async () => {
  const begunAt = timestampFromDate(new Date('2026-06-01T09:30:00Z'));
  const holders = [{ service: 'calendar-sync', waitingFor: '3 entries' }];
  shown({ customerId: 'ana', begunAt, holders, late: true }, { customerId: 'ben', begunAt, holders });
  const links = await screen.findAllByRole('link', { name: /^Erasure begun 1 Jun 2026/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    `/${BUSINESS}/customers/ana`,
    `/${BUSINESS}/customers/ben`,
  ]);
  expect(screen.getAllByText('“Employees’ calendars” waits for 3 entries.')).toHaveLength(2);
  expect(screen.getAllByText('Takes longer than an hour')).toHaveLength(1);
});

it('shows nothing where every erasure has ended', async () => {
  const { client } = shown();
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.queryByText('Being erased')).toBeNull();
});
