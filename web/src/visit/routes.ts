import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const appointmentRoutes: RouteObject[] = [
  {
    path: 'appointments/import',
    lazy: () => import('./import-page'),
    handle: {
      crumb: ({ businessId = '' }) => ({
        label: 'Import appointments',
        to: paths.appointmentImport(businessId),
      }),
    } satisfies RouteHandle,
  },
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
