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

const { unmappedServicesEffect, unmappedServicesText, unreadWhat, useUnmapped } = await import('./unmapped');

const records = vi.fn<(path: string) => Promise<unknown>>();
let connections: { id: string; label: string; needsServices?: boolean }[];

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
    'The people and services in Square',
  ]);
  expect(result.current.reading?.isSuccess).toBe(true);
});

/** Mia is mapped; of the services here only Cut is, and what Wash was mapped to is gone. */
function withServices(mia: string) {
  const schema = ListProviderRecordsResponseSchema;
  const { EMPLOYEE, SERVICE } = ProviderRecordKind;
  const records = [
    { externalId: 'r1', kind: EMPLOYEE, name: 'Mia', mappedId: mia },
    { externalId: 's1', kind: SERVICE, name: 'Haircut', mappedId: 'cut' },
    { externalId: 's2', kind: SERVICE, name: 'Wash', mappedId: 'wash', isGone: true },
    { externalId: 's3', kind: SERVICE, name: 'Beard' },
  ];
  const own = [
    { kind: EMPLOYEE, id: 'mia', name: 'Mia' },
    { kind: SERVICE, id: 'cut', name: 'Cut' },
    { kind: SERVICE, id: 'wash', name: 'Wash' },
    { kind: SERVICE, id: 'colour', name: 'Colour' },
  ];
  return toJson(schema, create(schema, { records, own }));
}

it('services here that none there is mapped to are named where visits with them are refused', async () => {
  connections = [{ id: 'c1', label: 'Square', needsServices: true }];
  records.mockImplementation(async () => withServices('mia'));
  const result = read();
  await waitFor(() => expect(result.current.unmapped).toHaveLength(1));
  const [unmapped] = result.current.unmapped;
  if (!unmapped) throw new Error('nothing is unmapped');
  expect(unmapped.people).toEqual([]);
  expect(unmappedServicesText(unmapped)).toBe('Wash and Colour are mapped to no service in Square');
  expect(unmappedServicesEffect(unmapped.connection, 2)).toBe('Visits with them are refused there.');
});

it('services are not named where none of them is needed, nor before anyone is mapped', async () => {
  connections = [
    { id: 'c1', label: 'Phorest' },
    { id: 'c2', label: 'Square', needsServices: true },
  ];
  records.mockImplementation(async (path) => withServices(path.includes('/c1/') ? 'mia' : ''));
  const result = read();
  await waitFor(() => expect(result.current.reading?.isSuccess).toBe(true));
  await waitFor(() => expect(result.current.unmapped).toHaveLength(1));
  expect(result.current.unmapped.map(({ people, services }) => [people, services])).toEqual([[['Mia'], []]]);
  expect(unmappedServicesEffect({ needsServices: false }, 1)).toBe(
    'Visits with it are entered there, but not as this service.',
  );
});

it('nothing is read for who may not map people', () => {
  expect(read(false).current.reading).toBeUndefined();
});
