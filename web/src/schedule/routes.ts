import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const scheduleRoutes: RouteObject[] = [
  {
    path: 'schedule',
    lazy: () => import('./schedule-route'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Schedule', to: paths.schedule(businessId) }),
      showsVisit: true,
      showsChecklist: true,
    } satisfies RouteHandle,
  },
];

/** The same for administrators, who choose the business first. */
export const adminScheduleRoutes: RouteObject[] = [
  {
    path: 'salon-scheduling/:businessId?',
    lazy: () => import('./schedule-route'),
    handle: {
      crumb: ({ businessId }) => ({ label: 'Salon scheduling', to: paths.adminScheduling(businessId) }),
      showsVisit: true,
      showsChecklist: true,
    } satisfies RouteHandle,
  },
];
