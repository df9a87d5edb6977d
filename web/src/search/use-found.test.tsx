// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import {
  ListAppointmentsResponseSchema,
  ListCustomerAppointmentsResponseSchema,
} from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { ListCustomersResponseSchema } from '../gen/frontdesk/tenancy/v1/customer_pb';
import type { Outgoing } from '../http/transport';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { useFound } = await import('./use-found');

afterEach(cleanup);

function found(visitsToCome: number, names = ['Dora Weekly'], nextPageToken = '') {
  const visits = Array.from({ length: visitsToCome }, (_, index) => ({
    id: `visit-${index}`,
    startsAt: timestampFromDate(new Date(Date.UTC(2030, 0, 1 + index))),
    items: [{ serviceName: 'Cut' }],
  }));
  api.mockReset().mockImplementation(async ({ path, query }) => {
    if (path.endsWith('/customers')) {
      const customers = names.map((name, index) => ({ id: `c${index + 1}`, name }));
      const schema = ListCustomersResponseSchema;
      return toJson(schema, create(schema, { customers, nextPageToken }));
    }
    if (!path.endsWith('/c1/appointments')) return {};
    const appointments = query?.get('upcoming') === 'true' ? visits : [];
    const schema = ListCustomerAppointmentsResponseSchema;
    return toJson(schema, create(schema, { appointments }));
  });
  return renderHook(() => useFound('b1', 'EMPLOYEE', 'dora'), { wrapper: wrapper() }).result;
}

function wrapper() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
}

/** Two visits on 12 March 2030, of which one is Silva's. */
function foundOn(text: string, visits: { id: string; customerId: string; customerName: string }[]) {
  api.mockReset().mockImplementation(async ({ path, query }) => {
    if (path.endsWith('/customers')) {
      const customers = query?.get('query') === 'Silva' ? [{ id: 'c1', name: 'Silva Santos' }] : [];
      return toJson(ListCustomersResponseSchema, create(ListCustomersResponseSchema, { customers }));
    }
    if (path !== '/v1/businesses/b1/appointments') return {};
    if (!query?.get('from')?.startsWith('2030-03-12')) return {};
    const appointments = visits.map((visit) => ({
      ...visit,
      startsAt: timestampFromDate(new Date('2030-03-12T09:00Z')),
      items: [{ serviceName: 'Cut', employeeName: 'Mia' }],
    }));
    const schema = ListAppointmentsResponseSchema;
    return toJson(schema, create(schema, { appointments }));
  });
  return renderHook(() => useFound('b1', 'EMPLOYEE', text), { wrapper: wrapper() }).result;
}

it.each(['Silva 12 Mar 2030', '12.3.2030 Silva'])('“%s” finds the visit of that day', async (text) => {
  const result = foundOn(text, [
    { id: 'v1', customerId: 'c2', customerName: 'Ben Other' },
    { id: 'v2', customerId: 'c1', customerName: 'Silva Santos' },
  ]);
  await waitFor(() => expect(result.current.options).toHaveLength(3));
  expect(result.current.options[0]).toMatchObject({ visitId: 'v2', detail: 'Silva Santos · Cut' });
  expect(result.current.options.slice(1)).toMatchObject([
    { to: '/b1/schedule?date=2030-03-12' },
    { to: '/b1/customers/c1' },
  ]);
});

it('a customer without a visit on the day is found all the same, and the search says so', async () => {
  const result = foundOn('Silva 12 Mar 2030', []);
  await waitFor(() => expect(result.current.note).toBe('No visit of “Silva” on Tue 12 Mar.'));
  expect(result.current.options.at(-1)).toMatchObject({ text: 'Silva Santos' });
});

it('the search ends a customer’s visits with all of them, where there are more', async () => {
  const result = found(4);
  await waitFor(() => expect(result.current.options).toHaveLength(5));
  expect(result.current.options.at(-1)).toMatchObject({
    text: 'All visits of Dora Weekly',
    to: '/b1/customers/c1',
  });
});

it('the search shows the visits of a customer who has few without more', async () => {
  const result = found(3);
  await waitFor(() => expect(result.current.options).toHaveLength(4));
  expect(result.current.options.map(({ text }) => text)).not.toContain('All visits of Dora Weekly');
});

it('the search shows the next visit alone where many customers match, and leads to all of them', async () => {
  const names = ['Dora A', 'Dora B', 'Dora C', 'Dora D'];
  const result = found(3, names, 'more');
  await waitFor(() => expect(result.current.options).toHaveLength(6));
  const texts = result.current.options.map(({ text }) => text);
  expect(texts.filter((text) => text.startsWith('Dora'))).toEqual(names);
  expect(result.current.options.at(-1)).toMatchObject({
    text: 'More customers for “dora”',
    to: '/b1/customers?q=dora',
  });
});
