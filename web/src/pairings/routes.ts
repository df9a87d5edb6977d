import type { RouteObject } from 'react-router';
import { paths } from '../paths';
import type { RouteHandle } from '../shell/crumbs';

const lazy = () => import('./pairings-page');

export const pairingRoutes: RouteObject[] = [
  {
    path: 'pairings',
    lazy,
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Pairings', to: paths.pairings(businessId) }),
    } satisfies RouteHandle,
  },
];

export const adminPairingRoutes: RouteObject[] = [
  {
    path: 'service-pairings',
    lazy,
    handle: {
      crumb: () => ({ label: 'Service pairings', to: paths.adminPairings }),
    } satisfies RouteHandle,
  },
];
