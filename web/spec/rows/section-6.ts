import { access, addresses, ranks, roleChecks, roles, session } from './files';
import { by, departing, type Shown } from './shown';
import {
  adminAlone,
  adminRoutes,
  behindSignIn,
  guestRefused,
  namesThePerson,
  ofBusiness,
  signedInOnly,
  toldAs,
} from './tests';

export const section6: Record<string, Shown> = {
  'The role comes from the token or the login response and defaults to user.': by(
    toldAs,
    roleChecks('that is not told is a plain user’s'),
    namesThePerson,
    session(
      'signs in silently, reading the user from the token',
      'names the user by their e-mail until more is known',
      'gives an account without a role the role user',
    ),
  ),
  'Hierarchy from highest to lowest: ADMIN, OWNER, MANAGER, EMPLOYEE, GUEST.': by(
    toldAs,
    roles(
      '%s works at the desk',
      'a guest sees hours and services, and no personal data',
      'an administrator sees every business',
    ),
    ranks('rank ADMIN over OWNER over MANAGER over EMPLOYEE over GUEST over unknown ones'),
  ),
  'A user passes a role check if their rank is at least that of the required role.': by(
    ranks('pass where their rank is at least the required one'),
    roles('%s works at the desk', 'an administrator sees every business'),
  ),
  'Helpers exist for is-admin, is-owner-or-above, is-manager-or-above and is-employee-or-above.': by(
    toldAs,
    roles('an administrator sees every business'),
    ranks('have a helper for each rank that opens doors'),
    access('checks each rank by its helper: %s'),
  ),
  "A failed check shows an 'Access Restricted' card reading 'You don't have permission to access this page.'":
    by(adminAlone),
  "In the authenticated case it adds 'Please contact your administrator if you believe this is an error.'":
    by(
      adminAlone,
      addresses(
        'is refused to a cached user before the server has confirmed the session, without advice to contact an administrator',
      ),
    ),
  'All /admin routes except /admin/components require ADMIN.': departing(10, adminAlone, adminRoutes),
  'Other protected routes require only a logged-in user.': departing(
    12,
    behindSignIn,
    ofBusiness,
    signedInOnly,
    guestRefused,
  ),
  'A role check on those routes is not shown.': departing(
    12,
    roles(
      'a guest sees hours and services, and no personal data',
      'a guest’s home links to no page that they are refused at',
    ),
    guestRefused,
  ),
};
