import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const waitlistRoutes: RouteObject[] = [
  {
    path: 'waitlist',
    lazy: () => import('./waitlist-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Waitlist', to: paths.waitlist(businessId) }),
    } satisfies RouteHandle,
  },
];
