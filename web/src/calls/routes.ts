import type { RouteObject } from 'react-router';
import { paths } from '../paths';
import type { RouteHandle } from '../shell/crumbs';

export const callRoutes: RouteObject[] = [
  {
    path: 'calls',
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Calls', to: paths.calls(businessId) }),
    } satisfies RouteHandle,
    children: [
      { index: true, lazy: () => import('./calls-page') },
      {
        path: ':callId',
        lazy: () => import('./call-page'),
        handle: {
          crumb: ({ businessId = '', callId = '' }) => ({
            label: 'Call',
            to: paths.call(businessId, callId),
          }),
        } satisfies RouteHandle,
      },
    ],
  },
];
