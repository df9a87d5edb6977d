import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const accountRoutes: RouteObject[] = [
  {
    path: 'my/account',
    lazy: () => import('./account-page'),
    handle: { crumb: () => ({ label: 'Your account', to: paths.myAccount }) } satisfies RouteHandle,
  },
];
