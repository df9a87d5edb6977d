import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const myBusinessesRoutes: RouteObject[] = [
  {
    path: 'my/businesses',
    lazy: () => import('./my-businesses-page'),
    handle: { crumb: () => ({ label: 'Your businesses', to: paths.myBusinesses }) } satisfies RouteHandle,
  },
];
