import type { RouteObject } from 'react-router';
import { paths } from '../paths';
import type { RouteHandle } from '../shell/crumbs';

export const accountRoutes: RouteObject[] = [
  {
    path: 'my/account',
    lazy: () => import('./account-page'),
    handle: { crumb: () => ({ label: 'Your account', to: paths.myAccount }) } satisfies RouteHandle,
  },
];
