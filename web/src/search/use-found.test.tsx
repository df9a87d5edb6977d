// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ListCustomerAppointmentsResponseSchema } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
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
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useFound('b1', 'EMPLOYEE', 'dora'), { wrapper }).result;
}

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
