// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  ListProviderConnectionsResponseSchema,
  ListProviderRecordsResponseSchema,
  ProviderRecordKind,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import type { Outgoing } from '../http/transport';
import { refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { unreadWhat, useUnmapped } = await import('./unmapped');

const records = vi.fn<(path: string) => Promise<unknown>>();
let connections: { id: string; label: string }[];

beforeEach(() => {
  connections = [{ id: 'c1', label: 'Square' }];
  api.mockReset().mockImplementation(async ({ path }) => {
    if (path.endsWith('/records')) return records(path);
    const schema = ListProviderConnectionsResponseSchema;
    return toJson(schema, create(schema, { connections }));
  });
});

/** The records of a booking system with one person, who is mapped to no one. */
function withOne(name: string) {
  const schema = ListProviderRecordsResponseSchema;
  const records = [{ externalId: 'r1', kind: ProviderRecordKind.EMPLOYEE, name }];
  return toJson(schema, create(schema, { records }));
}

function read(enabled = true) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useUnmapped('b', enabled), { wrapper }).result;
}

it('the records of a booking system are what is read, until they are', async () => {
  records.mockImplementation(async () => withOne('Ada'));
  const result = read();
  expect(result.current.reading?.isPending).toBe(true);
  await waitFor(() => expect(result.current.reading?.isSuccess).toBe(true));
  expect(result.current.unmapped.map(({ people }) => people)).toEqual([['Ada']]);
});

it('records that can’t be read are a failure, and not no people', async () => {
  records.mockImplementation(async () => {
    throw refused(400, 'FAILED');
  });
  const result = read();
  await waitFor(() => expect(result.current.unread.map(({ id }) => id)).toEqual(['c1']));
  expect(result.current.unmapped).toEqual([]);
});

it('a booking system that can’t be read hides no people of another, and is named', async () => {
  connections = [
    { id: 'c1', label: 'Square' },
    { id: 'c2', label: 'Phorest' },
  ];
  records.mockImplementation(async (path) => {
    if (path.includes('/c1/')) throw refused(400, 'FAILED');
    return withOne('Ada');
  });
  const result = read();
  await waitFor(() => expect(result.current.unread).toHaveLength(1));
  await waitFor(() => expect(result.current.unmapped.map(({ people }) => people)).toEqual([['Ada']]));
  expect(result.current.unread.map(({ connection }) => unreadWhat(connection))).toEqual([
    'The people in Square',
  ]);
  expect(result.current.reading?.isSuccess).toBe(true);
});

it('nothing is read for who may not map people', () => {
  expect(read(false).current.reading).toBeUndefined();
});
