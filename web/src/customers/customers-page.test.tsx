// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CustomerSchema, ListCustomersResponseSchema } from '../gen/frontdesk/tenancy/v1/customer_pb';
import type { Outgoing } from '../http/transport';
import { mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));
vi.mock('../business/queries', async (original) => ({
  ...(await original<typeof import('../business/queries')>()),
  useBusinessRole: () => ({ kind: 'member', role: 'EMPLOYEE' }),
}));

const { Component } = await import('./customers-page');

const BUSINESS = '01900000-0000-7000-8000-000000000001';
const PATH = `/${BUSINESS}/customers`;
const customer = (name: string) => create(CustomerSchema, { id: name, name, phone: '+447700900123' });

/** Two pages of all, one customer for "ben", no one for anything else. */
function answer(query: URLSearchParams) {
  const searched = query.get('query') ?? '';
  if (searched) return { customers: searched === 'ben' ? [customer('Ben Carter')] : [], nextPageToken: '' };
  return query.get('pageToken')
    ? { customers: [customer('Cleo')], nextPageToken: '' }
    : { customers: [customer('Ana'), customer('Ben Carter')], nextPageToken: 'second' };
}

const shown = (at = PATH) => mount([{ path: '/:businessId/customers', Component }], at);
const names = () => screen.queryAllByRole('link').map((link) => link.textContent);
const searches = () =>
  api.mock.calls
    .filter(([{ path }]) => path.endsWith('/customers'))
    .map(([{ query }]) => query?.get('query') ?? '');
const type = (text: string) =>
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search customers' }), { target: { value: text } });

beforeEach(() => {
  api.mockReset();
  api.mockImplementation(async ({ query }) =>
    toJson(
      ListCustomersResponseSchema,
      create(ListCustomersResponseSchema, answer(query ?? new URLSearchParams())),
    ),
  );
});
afterEach(cleanup);

it('lists the customers page by page, each leading to their profile', async () => {
  shown();
  const ana = await screen.findByRole('link', { name: 'Ana' });
  expect(ana.getAttribute('href')).toBe(`${PATH}/Ana`);
  expect(screen.getByRole('status').textContent).toBe('The first 2 customers, by name');
  fireEvent.click(screen.getByRole('button', { name: 'Show more customers' }));
  await screen.findByRole('link', { name: 'Cleo' });
  expect(names()).toEqual(['Ana', 'Ben Carter', 'Cleo']);
  expect(screen.queryByRole('button', { name: 'Show more customers' })).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('3 customers, by name');
});

it('searches once for what is typed without a pause, and keeps it in the address', async () => {
  const { router } = shown();
  await screen.findByRole('link', { name: 'Ana' });
  for (const text of ['b', 'be', ' ben ']) type(text);
  await waitFor(() => expect(names()).toEqual(['Ben Carter']));
  expect(searches()).toEqual(['', 'ben']);
  expect(router.state.location.search).toBe('?q=ben');
  type('');
  await waitFor(() => expect(names()).toEqual(['Ana', 'Ben Carter']));
  expect(router.state.location.search).toBe('');
});

it('begins with the search of its address', async () => {
  shown(`${PATH}?q=ben`);
  await screen.findByRole('link', { name: 'Ben Carter' });
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('ben');
  expect(searches()).toEqual(['ben']);
});

it('offers to add who is not found, and says why nothing can be shown', async () => {
  shown(`${PATH}?q=zed`);
  await screen.findByText('No customer matches “zed”');
  screen.getByRole('button', { name: 'New customer “zed”' });
  cleanup();
  api.mockRejectedValue(refused(503, 'UNAVAILABLE'));
  shown();
  await screen.findByText('The customers can’t be shown');
  screen.getByRole('button', { name: 'Try again' });
});

it('moves between the search and the customers with the arrows', async () => {
  shown();
  await screen.findByRole('link', { name: 'Ana' });
  const at = () => document.activeElement?.textContent || document.activeElement?.getAttribute('type');
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  press('/');
  expect(at()).toBe('search');
  press('ArrowDown');
  press('ArrowDown');
  expect(at()).toBe('Ben Carter');
  press('ArrowDown');
  expect(at()).toBe('Ben Carter');
  press('ArrowUp');
  press('ArrowUp');
  expect(at()).toBe('search');
});

it('opens the customer who is pressed before the search begins', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    let arrive: (answer: null) => void = () => undefined;
    const read = new Promise<null>((resolve) => {
      arrive = resolve;
    });
    const profile = {
      path: '/:businessId/customers/:id',
      loader: () => read,
      element: <p>Profile</p>,
    };
    const { router } = mount([{ path: '/:businessId/customers', Component }, profile], PATH);
    const ana = await screen.findByRole('link', { name: 'Ana' });
    type('ben');
    fireEvent.click(ana);
    await vi.advanceTimersByTimeAsync(1000);
    arrive(null);
    await screen.findByText('Profile');
    expect(router.state.location.pathname).toBe(`${PATH}/Ana`);
  } finally {
    vi.useRealTimers();
  }
});
