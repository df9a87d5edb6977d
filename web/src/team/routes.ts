import type { RouteObject } from 'react-router';
import type { RouteHandle } from '../layout/crumbs';
import { paths } from '../paths';

const page = () => import('./team-page');
const employeePage = () => import('./employee-page');

export const teamRoutes: RouteObject[] = [
  {
    path: 'team',
    handle: {
      crumb: ({ businessId = '' }) => ({ label: 'Team', to: paths.team(businessId) }),
    } satisfies RouteHandle,
    children: [
      { index: true, lazy: page, handle: { showsChecklist: true } satisfies RouteHandle },
      {
        path: ':employeeId',
        lazy: employeePage,
        handle: {
          crumb: ({ businessId = '', employeeId = '' }) => ({
            label: 'Working hours',
            to: paths.teamMember(businessId, employeeId),
          }),
        } satisfies RouteHandle,
      },
    ],
  },
];

/** The same for administrators, whose address names the business in its query. */
export const adminTeamRoutes: RouteObject[] = [
  {
    path: 'schedule',
    handle: {
      crumb: (_params, _name, search) => ({
        label: 'Staff schedules',
        to: paths.adminTeam(search.get('business') ?? undefined),
      }),
    } satisfies RouteHandle,
    children: [
      { index: true, lazy: page, handle: { showsChecklist: true } satisfies RouteHandle },
      {
        path: 'employee/:employeeId',
        lazy: employeePage,
        handle: {
          crumb: ({ employeeId = '' }, _name, search) => ({
            label: 'Working hours',
            to: paths.adminTeamMember(search.get('business') ?? '', employeeId),
          }),
        } satisfies RouteHandle,
      },
    ],
  },
];
