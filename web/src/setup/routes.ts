import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const adminSetupRoutes: RouteObject[] = [
  {
    path: 'businesses/create',
    lazy: () => import('./create-page'),
    handle: {
      crumb: () => ({ label: 'Create a business', to: paths.adminCreateBusiness() }),
    } satisfies RouteHandle,
  },
];
