import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const adminRoutes: RouteObject[] = [
  { index: true, lazy: () => import('./menu-page') },
  {
    path: 'biz',
    lazy: () => import('./health-page'),
    handle: { crumb: () => ({ label: 'At a glance', to: paths.adminHealth }) } satisfies RouteHandle,
  },
  {
    path: 'businesses',
    lazy: () => import('./businesses-page'),
    handle: { crumb: () => ({ label: 'Businesses', to: paths.adminBusinesses }) } satisfies RouteHandle,
  },
];
