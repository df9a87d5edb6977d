import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

const credentials = () => import('./credentials-page');
const sync = () => import('./sync-page');
const availability = () => import('./availability-page');

export const providerRoutes: RouteObject[] = [
  {
    path: 'provider-credentials',
    lazy: credentials,
    handle: {
      crumb: ({ businessId = '' }) => ({
        label: 'Booking system',
        to: paths.providerCredentials(businessId),
      }),
    } satisfies RouteHandle,
  },
  {
    path: 'provider-sync',
    lazy: sync,
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Booking system sync', to: paths.providerSync(businessId) }),
    } satisfies RouteHandle,
  },
  {
    path: 'provider-availability',
    lazy: availability,
    handle: {
      crumb: ({ businessId = '' }) => ({
        label: 'Availability compared',
        to: paths.providerAvailability(businessId),
      }),
    } satisfies RouteHandle,
  },
];

export const adminProviderRoutes: RouteObject[] = [
  {
    path: 'provider-credentials/:businessId',
    lazy: credentials,
    handle: {
      crumb: ({ businessId = '' }) => ({
        label: 'Booking system',
        to: paths.adminProviderCredentials(businessId),
      }),
    } satisfies RouteHandle,
  },
  {
    path: 'provider-sync',
    lazy: sync,
    handle: {
      crumb: () => ({ label: 'Booking system sync', to: paths.adminProviderSync }),
    } satisfies RouteHandle,
  },
  {
    path: 'provider-availability',
    lazy: availability,
    handle: {
      crumb: () => ({ label: 'Availability compared', to: paths.adminProviderAvailability }),
    } satisfies RouteHandle,
  },
];
