// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BusinessSchema, ListBusinessesResponseSchema } from '../gen/frontdesk/tenancy/v1/business_pb';
import { GetLogoResponseSchema } from '../gen/frontdesk/tenancy/v1/logo_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { BusinessList } = await import('./business-list');

const business = (name: string, address = '', phone = '') =>
  create(BusinessSchema, { id: name, name, address, phone, timeZone: 'Europe/Berlin' });

/** Three pages; what is looked for may stand on the last. */
const PAGES = [
  [business('Atelier Nord', 'Torstraße 88, Berlin')],
  [business('Willow & Co', '14 Lamb’s Conduit Street', '+442079460123')],
  [business('Zürich Süd')],
];

const answer = (page: number) =>
  toJson(
    ListBusinessesResponseSchema,
    create(ListBusinessesResponseSchema, {
      businesses: PAGES[page] ?? [],
      nextPageToken: page + 1 < PAGES.length ? String(page + 1) : '',
    }),
  );

const shown = () => mount([{ path: '/', element: <BusinessList to={(id) => `/admin/here/${id}`} /> }], '/');
const links = () => screen.queryAllByRole('link').map((link) => link.textContent);

fillJsdomGaps();
beforeEach(() => {
  api.mockReset();
  api.mockImplementation(async ({ query }) => answer(Number(query?.get('pageToken') || 0)));
});
afterEach(cleanup);

it('links where the page says, and loads page by page while the search is empty', async () => {
  shown();
  const link = await screen.findByRole('link', { name: 'Atelier Nord' });
  expect(link.getAttribute('href')).toBe('/admin/here/Atelier Nord');
  expect(links()).toEqual(['Atelier Nord']);
  fireEvent.click(screen.getByRole('button', { name: 'Load more businesses' }));
  await screen.findByRole('link', { name: 'Willow & Co' });
  expect(api).toHaveBeenCalledTimes(2);
});

it.each([
  ['zur', 'Zürich Süd'],
  ['conduit', 'Willow & Co'],
  ['020 7946', 'Willow & Co'],
])('finds “%s” on whatever page it stands', async (typed, name) => {
  shown();
  await screen.findByRole('link', { name: 'Atelier Nord' });
  fireEvent.change(screen.getByLabelText('Find a business'), { target: { value: typed } });
  await screen.findByRole('link', { name });
  expect(links()).toEqual([name]);
});

it('says that nothing was found only when all were read', async () => {
  shown();
  await screen.findByRole('link', { name: 'Atelier Nord' });
  fireEvent.change(screen.getByLabelText('Find a business'), { target: { value: 'nowhere' } });
  await screen.findByText('No business has “nowhere” in its name or address');
  expect(api).toHaveBeenCalledTimes(3);
});

it('reads no further after a failure, until a retry', async () => {
  api.mockImplementation(async ({ query }) => {
    if (query?.get('pageToken')) throw refused(400, 'UNAVAILABLE');
    return answer(0);
  });
  shown();
  await screen.findByRole('link', { name: 'Atelier Nord' });
  fireEvent.change(screen.getByLabelText('Find a business'), { target: { value: 'willow' } });
  await screen.findByText(/may be out of date/);
  expect(api).toHaveBeenCalledTimes(2);
  expect(screen.queryByText(/No business has/)).toBeNull();
  api.mockImplementation(async ({ query }) => answer(Number(query?.get('pageToken') || 0)));
  fireEvent.click(screen.getByRole('button', { name: 'Load more businesses' }));
  await screen.findByRole('link', { name: 'Willow & Co' });
});

it('says how to begin while there is no business', async () => {
  api.mockResolvedValue(toJson(ListBusinessesResponseSchema, create(ListBusinessesResponseSchema, {})));
  shown();
  const link = await screen.findByRole('link', { name: 'Create a business' });
  expect(link.getAttribute('href')).toBe('/admin/businesses/create');
});

it('reads a logo once its row is in sight', async () => {
  const sights: (() => void)[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #seen: (entries: { isIntersecting: boolean }[]) => void;
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        this.#seen = seen;
      }
      observe() {
        sights.push(() => this.#seen([{ isIntersecting: true }]));
      }
      disconnect() {}
    },
  );
  const logo = create(GetLogoResponseSchema, { content: new Uint8Array([1, 2, 3]) });
  const listed = create(ListBusinessesResponseSchema, {
    businesses: [
      create(BusinessSchema, {
        id: 'one',
        name: 'With a logo',
        logoDigest: '4f2a',
        timeZone: 'Europe/Berlin',
      }),
      business('Without one'),
    ],
  });
  api.mockImplementation(async ({ path }) =>
    path.includes('/logos/')
      ? toJson(GetLogoResponseSchema, logo)
      : toJson(ListBusinessesResponseSchema, listed),
  );
  shown();
  await screen.findByRole('link', { name: 'Without one' });
  expect(sights).toHaveLength(1);
  expect(api).toHaveBeenCalledTimes(1);
  act(() => sights[0]?.());
  await vi.waitFor(() => expect(document.querySelector('img')?.src).toBe('data:image/png;base64,AQID'));
  expect(api).toHaveBeenCalledTimes(2);
  expect(api.mock.lastCall?.[0].path).toBe('/v1/businesses/one/logos/4f2a');
});
