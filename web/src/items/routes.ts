import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const itemRoutes: RouteObject[] = [
  {
    path: 'items',
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Items', to: paths.items(businessId) }),
    } satisfies RouteHandle,
    children: [
      { index: true, lazy: () => import('./items-page') },
      {
        path: 'import',
        lazy: () => import('./import-page'),
        handle: {
          crumb: ({ businessId = '' }) => ({ label: 'Import', to: paths.itemImport(businessId) }),
        } satisfies RouteHandle,
      },
      {
        path: ':itemId',
        lazy: () => import('./item-page'),
        handle: {
          crumb: ({ businessId = '', itemId = '' }) => ({
            label: 'Item',
            to: paths.item(businessId, itemId),
          }),
        } satisfies RouteHandle,
      },
    ],
  },
];
