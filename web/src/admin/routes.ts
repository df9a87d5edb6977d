import type { RouteObject } from 'react-router';
import { adminDependencyRoutes } from '../dependencies/routes';
import { adminIntelligenceRoutes } from '../intelligence/routes';
import { adminPairingRoutes } from '../pairings/routes';
import { paths } from '../paths';
import { adminScheduleRoutes } from '../schedule/routes';
import { adminScheduleCheckRoutes } from '../schedule-check/routes';
import type { RouteHandle } from '../shell/crumbs';
import { adminTeamRoutes } from '../team/routes';

export const adminRoutes: RouteObject[] = [
  {
    path: 'admin',
    handle: {
      roles: ['ADMIN'],
      crumb: () => ({ label: 'Admin', to: paths.admin }),
    } satisfies RouteHandle,
    children: [
      { index: true, lazy: () => import('./menu-page') },
      {
        path: 'businesses',
        lazy: () => import('./businesses-page'),
        handle: { crumb: () => ({ label: 'Businesses', to: paths.adminBusinesses }) } satisfies RouteHandle,
      },
      ...adminScheduleRoutes,
      ...adminTeamRoutes,
      ...adminDependencyRoutes,
      ...adminPairingRoutes,
      ...adminScheduleCheckRoutes,
      ...adminIntelligenceRoutes,
    ],
  },
];
