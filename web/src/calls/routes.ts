import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

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
