import type { RouteObject } from 'react-router';
import { paths } from '../paths';
import type { RouteHandle } from '../shell/crumbs';

export const serviceRoutes: RouteObject[] = [
  {
    path: 'services',
    lazy: () => import('./services-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Services', to: paths.services(businessId) }),
    } satisfies RouteHandle,
  },
];
