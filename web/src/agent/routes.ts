import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

const lazy = () => import('./agent-page');

export const agentRoutes: RouteObject[] = [
  {
    path: 'agent',
    lazy,
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Agent settings', to: paths.agent(businessId) }),
    } satisfies RouteHandle,
  },
];

/** The same for administrators. */
export const adminAgentRoutes: RouteObject[] = [
  {
    path: 'businesses/:businessId/agent-settings',
    lazy,
    handle: {
      crumb: ({ businessId = '' }) => ({
        label: 'Agent settings',
        to: paths.adminAgentSettings(businessId),
      }),
    } satisfies RouteHandle,
  },
];
