import { comeBack, provider, ranks, resetPage, roleChecks, session, signIn, toGoogle } from './files';
import { by, type Shown } from './shown';
import { adminAlone, noClient, returnsWrong, toldAs, withGoogle } from './tests';

export const section5: Record<string, Shown> = {
  'OAuth state check on the callback:': by(returnsWrong, comeBack('is not believed %s')),
  "A missing state is rejected with 'Missing state parameter. Request rejected for security.'": by(
    returnsWrong,
    comeBack('is not believed %s'),
  ),
  "A missing stored state gives 'No stored state found. Please restart OAuth flow.'": by(
    returnsWrong,
    comeBack('is not believed %s'),
  ),
  "A state that does not match gives 'Invalid state parameter. Potential CSRF attack detected.'": by(
    returnsWrong,
    comeBack('is not believed %s'),
  ),
  "A missing stored code verifier gives 'Code verifier not found. Please restart the OAuth flow.'": by(
    returnsWrong,
    comeBack('is not believed %s'),
  ),
  'Backend callback handling:': by(withGoogle, comeBack('redeems the handoff for a session')),
  "An error parameter gives 'OAuth2 authentication failed: {error}'.": by(
    returnsWrong,
    comeBack('with %s is not believed'),
  ),
  "A missing token gives 'No authentication token received from server.'": by(
    returnsWrong,
    comeBack('with %s is not believed'),
  ),
  "The token must have 3 dot-separated parts, otherwise 'Invalid JWT token format'.": by(
    returnsWrong,
    comeBack('with %s is not believed'),
  ),
  'The role defaults to user.': by(
    roleChecks('that is not told is a plain user’s'),
    session('gives an account without a role the role user'),
  ),
  "The frontend configuration must contain a Google client id, otherwise 'Invalid OAuth configuration received from backend'.":
    by(
      noClient,
      toGoogle('for want of a client id when the page loads keeps the button, which says so'),
      provider('when the configuration has %s'),
    ),
  'Role normalisation: case-insensitive, and USER maps to EMPLOYEE.': by(
    toldAs,
    roleChecks(
      'told as admin, in small letters, opens the admin area',
      'told as admin, in small letters, reads what administrators alone read',
    ),
    ranks('are compared without case, and USER is EMPLOYEE'),
  ),
  'Unknown roles rank lowest, below GUEST.': by(
    toldAs,
    ranks('rank ADMIN over OWNER over MANAGER over EMPLOYEE over GUEST over unknown ones'),
  ),
  "The required role for a route is the first of the route's listed roles.": by(
    adminAlone,
    ranks('of a route are read first to last, the first being required'),
  ),
  'Form field validation is not shown.': by(
    signIn('reports missing fields without a request'),
    resetPage('asks for a longer password, and for the same one twice'),
  ),
};
