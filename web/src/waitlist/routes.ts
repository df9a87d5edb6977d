import type { RouteObject } from 'react-router';
import { paths } from '../paths';
import type { RouteHandle } from '../shell/crumbs';

export const waitlistRoutes: RouteObject[] = [
  {
    path: 'waitlist',
    lazy: () => import('./waitlist-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Waitlist', to: paths.waitlist(businessId) }),
    } satisfies RouteHandle,
  },
];
