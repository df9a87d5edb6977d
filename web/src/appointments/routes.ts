import type { RouteObject } from 'react-router';
import { paths } from '../paths';
import type { RouteHandle } from '../shell/crumbs';

export const appointmentRoutes: RouteObject[] = [
  {
    path: 'appointments/:appointmentId',
    lazy: () => import('./appointment-page'),
    handle: {
      crumb: ({ businessId = '', appointmentId = '' }) => ({
        label: 'Appointment',
        to: paths.appointment(businessId, appointmentId),
      }),
    } satisfies RouteHandle,
  },
];
