import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

const lazy = () => import('./insights-page');

export const insightRoutes: RouteObject[] = [
  {
    path: 'insights',
    lazy,
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Insights', to: paths.insights(businessId) }),
    } satisfies RouteHandle,
  },
];

/** The same for administrators, who choose the business first. */
export const adminInsightRoutes: RouteObject[] = [
  {
    path: 'insights',
    lazy,
    handle: { crumb: () => ({ label: 'Insights', to: paths.adminInsights }) } satisfies RouteHandle,
  },
];
