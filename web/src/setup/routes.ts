import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { isId, paths } from '../paths';

export const adminSetupRoutes: RouteObject[] = [
  {
    path: 'businesses/create',
    lazy: () => import('./create-page'),
    handle: {
      crumb: (_params, _name, search) => {
        const businessId = search.get('business') ?? '';
        return isId(businessId)
          ? { label: 'Set up a business', to: paths.adminCreateBusiness(businessId) }
          : { label: 'Create a business', to: paths.adminCreateBusiness() };
      },
    } satisfies RouteHandle,
  },
];
