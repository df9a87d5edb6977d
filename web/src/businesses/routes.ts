import type { RouteObject } from 'react-router';
import { appointmentRoutes } from '../appointments/routes';
import { callRoutes } from '../calls/routes';
import { dependencyRoutes } from '../dependencies/routes';
import { inboxRoutes } from '../inbox/routes';
import { intelligenceRoutes } from '../intelligence/routes';
import { memberRoutes } from '../members/routes';
import { pairingRoutes } from '../pairings/routes';
import { paths } from '../paths';
import { scheduleRoutes } from '../schedule/routes';
import { scheduleCheckRoutes } from '../schedule-check/routes';
import { serviceRoutes } from '../services/routes';
import type { RouteHandle } from '../shell/crumbs';
import { teamRoutes } from '../team/routes';
import { waitlistRoutes } from '../waitlist/routes';

export const businessRoutes: RouteObject[] = [
  {
    path: 'my/businesses',
    lazy: () => import('./my-businesses-page'),
    handle: { crumb: () => ({ label: 'Your businesses', to: paths.myBusinesses }) } satisfies RouteHandle,
  },
  {
    path: ':businessId',
    handle: {
      crumb: ({ businessId = '' }, businessName) => ({
        label: businessName || 'Home',
        to: paths.business(businessId),
      }),
    } satisfies RouteHandle,
    children: [
      { index: true, lazy: () => import('./home-page') },
      ...scheduleRoutes,
      ...callRoutes,
      ...appointmentRoutes,
      ...serviceRoutes,
      ...waitlistRoutes,
      ...inboxRoutes,
      ...dependencyRoutes,
      ...pairingRoutes,
      ...scheduleCheckRoutes,
      ...intelligenceRoutes,
      ...teamRoutes,
      ...memberRoutes,
    ],
  },
];
