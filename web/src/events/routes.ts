import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const adminEventRoutes: RouteObject[] = [
  {
    path: 'event-tracking',
    lazy: () => import('./events-page'),
    handle: {
      crumb: () => ({ label: 'Event tracking', to: paths.adminEvents }),
    } satisfies RouteHandle,
  },
];
