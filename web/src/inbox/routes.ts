import type { RouteObject } from 'react-router';
import { paths } from '../paths';
import type { RouteHandle } from '../shell/crumbs';

export const inboxRoutes: RouteObject[] = [
  {
    path: 'inbox',
    lazy: () => import('./inbox-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Inbox', to: paths.inbox(businessId) }),
    } satisfies RouteHandle,
  },
];
