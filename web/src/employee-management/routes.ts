import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

export const adminEmployeeRoutes: RouteObject[] = [
  {
    path: 'employee-management',
    lazy: () => import('./employee-management-page'),
    handle: {
      crumb: () => ({ label: 'Employee management', to: paths.adminEmployees() }),
    } satisfies RouteHandle,
  },
];
