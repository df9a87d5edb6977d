import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const intelligenceRoutes: RouteObject[] = [
  {
    path: 'intelligence',
    lazy: () => import('./intelligence-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Intelligence', to: paths.intelligence(businessId) }),
    } satisfies RouteHandle,
  },
];

/** The same for administrators, who choose the business first. */
export const adminIntelligenceRoutes: RouteObject[] = [
  {
    path: 'service-intelligence/:businessId?',
    lazy: () => import('./admin-page'),
    handle: {
      crumb: ({ businessId }) => ({
        label: 'Service intelligence',
        to: paths.adminIntelligence(businessId),
      }),
    } satisfies RouteHandle,
  },
];
