import type { RouteObject } from 'react-router';
import { paths } from '../paths';
import type { RouteHandle } from '../shell/crumbs';

const lazy = () => import('./dependencies-page');

export const dependencyRoutes: RouteObject[] = [
  {
    path: 'dependencies',
    lazy,
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Rules', to: paths.dependencies(businessId) }),
    } satisfies RouteHandle,
  },
];

export const adminDependencyRoutes: RouteObject[] = [
  {
    path: 'dependencies',
    lazy,
    handle: {
      crumb: () => ({ label: 'Rules between services', to: paths.adminDependencies }),
    } satisfies RouteHandle,
  },
];
