import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const memberRoutes: RouteObject[] = [
  {
    path: 'members',
    lazy: () => import('./members-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Members', to: paths.members(businessId) }),
    } satisfies RouteHandle,
  },
];
