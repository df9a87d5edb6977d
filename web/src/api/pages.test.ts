import { create } from '@bufbuild/protobuf';
import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';

vi.mock('../session/current', () => ({ api: vi.fn() }));

import {
  CatalogueService,
  ListServicesResponseSchema,
  ServiceSchema,
} from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { changePages } from './pages';
import { rpcPages } from './query';

const list = rpcPages(CatalogueService.method.listServices, { businessId: 'b1', pageSize: 2 });
const page = (...ids: string[]) =>
  create(ListServicesResponseSchema, { services: ids.map((id) => create(ServiceSchema, { id })) });

it('changes a record on any page, and nothing else of the pages', () => {
  const queries = new QueryClient();
  const pages = [{ ...page('a', 'b'), nextPageToken: 'more' }, page('c')];
  queries.setQueryData(list.queryKey, { pages, pageParams: ['', 'more'] });
  changePages(queries, list, 'services', (shown) => shown.filter(({ id }) => id !== 'c' && id !== 'a'));
  const after = queries.getQueryData(list.queryKey);
  expect(after?.pages.map(({ services }) => services.map(({ id }) => id))).toEqual([['b'], []]);
  expect([after?.pages[0]?.nextPageToken, after?.pageParams]).toEqual(['more', ['', 'more']]);
});

it('creates no list that was never read', () => {
  const queries = new QueryClient();
  changePages(queries, list, 'services', () => []);
  expect(queries.getQueryData(list.queryKey)).toBeUndefined();
});
