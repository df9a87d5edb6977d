import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const inboxRoutes: RouteObject[] = [
  {
    path: 'inbox',
    lazy: () => import('./inbox-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Inbox', to: paths.inbox(businessId) }),
    } satisfies RouteHandle,
  },
];
