import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

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
