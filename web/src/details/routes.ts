import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const detailsRoutes: RouteObject[] = [
  {
    path: 'details',
    lazy: () => import('./details-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Details', to: paths.details(businessId) }),
    } satisfies RouteHandle,
  },
];
