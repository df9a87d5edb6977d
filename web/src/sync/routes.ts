import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

const appointments = () => import('./appointment-sync-page');
const consistency = () => import('./consistency-page');

export const syncRoutes: RouteObject[] = [
  {
    path: 'appointment-sync',
    lazy: appointments,
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Appointment sync', to: paths.appointmentSync(businessId) }),
    } satisfies RouteHandle,
  },
  {
    path: 'consistency',
    lazy: consistency,
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Consistency', to: paths.consistency(businessId) }),
    } satisfies RouteHandle,
  },
];

export const adminSyncRoutes: RouteObject[] = [
  {
    path: 'appointment-sync',
    lazy: appointments,
    handle: {
      crumb: () => ({ label: 'Appointment sync', to: paths.adminAppointmentSync }),
    } satisfies RouteHandle,
  },
  {
    path: 'saloniq-consistency',
    lazy: consistency,
    handle: {
      crumb: () => ({ label: 'Consistency', to: paths.adminConsistency }),
    } satisfies RouteHandle,
  },
];
