import type { Role } from '../session/roles';

/** What can be given in a business, highest first. */
export const MEMBER_ROLES = ['OWNER', 'MANAGER', 'EMPLOYEE', 'GUEST'] as const satisfies readonly Role[];

/** What an employee can sign in with: a guest sees no personal data. */
export const EMPLOYEE_ROLES = ['OWNER', 'MANAGER', 'EMPLOYEE'] as const satisfies readonly Role[];

/** What each role allows, shown where a role is chosen. */
export const MEANINGS: Readonly<Record<(typeof MEMBER_ROLES)[number], string>> = {
  OWNER: 'Everything, members and settings included.',
  MANAGER: 'Bookings, services and working hours.',
  EMPLOYEE: 'Bookings, customers and calls.',
  GUEST: 'Opening hours and services, no personal data.',
};
