import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const serviceRoutes: RouteObject[] = [
  {
    path: 'services',
    lazy: () => import('./services-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Services', to: paths.services(businessId) }),
    } satisfies RouteHandle,
  },
];
