import type { RouteObject } from 'react-router';
import { paths } from '../paths';
import type { RouteHandle } from '../shell/crumbs';

export const memberRoutes: RouteObject[] = [
  {
    path: 'members',
    lazy: () => import('./members-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Members', to: paths.members(businessId) }),
    } satisfies RouteHandle,
  },
];
