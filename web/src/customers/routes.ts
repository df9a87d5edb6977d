import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const customerRoutes: RouteObject[] = [
  {
    path: 'customers',
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Customers', to: paths.customers(businessId) }),
    } satisfies RouteHandle,
    children: [
      { index: true, lazy: () => import('./customers-page') },
      {
        path: 'import',
        lazy: () => import('./import-page'),
        handle: {
          crumb: ({ businessId = '' }) => ({ label: 'Import', to: paths.customerImport(businessId) }),
        } satisfies RouteHandle,
      },
      {
        path: ':customerId',
        lazy: () => import('./customer-page'),
        handle: {
          crumb: ({ businessId = '', customerId = '' }) => ({
            label: 'Customer',
            to: paths.customer(businessId, customerId),
          }),
        } satisfies RouteHandle,
      },
    ],
  },
];
