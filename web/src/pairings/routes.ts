import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

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
