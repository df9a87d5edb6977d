import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

const lazy = () => import('./schedule-check-page');

export const scheduleCheckRoutes: RouteObject[] = [
  {
    path: 'schedule-check',
    lazy,
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Check a time', to: paths.scheduleCheck(businessId) }),
    } satisfies RouteHandle,
  },
];

export const adminScheduleCheckRoutes: RouteObject[] = [
  {
    path: 'schedule-check-test',
    lazy,
    handle: {
      crumb: () => ({ label: 'Schedule check', to: paths.adminScheduleCheck }),
    } satisfies RouteHandle,
  },
];
