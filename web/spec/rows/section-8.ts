import { testsOf } from '../evidence';
import {
  accounts,
  announce,
  authorised,
  cacheWatch,
  comeBack,
  loading,
  loginPage,
  manager,
  panels,
  provider,
  resetPage,
  resetting,
  session,
  signIn,
  toGoogle,
} from './files';
import { by, type Shown } from './shown';
import {
  adminAlone,
  configurationFails,
  expires,
  noClient,
  refreshesBlocked,
  returnsWrong,
  sentAgain,
} from './tests';

export const section8: Record<string, Shown> = {
  "401 on a non-/auth/ call / Product behaviour: Refresh and retry. If the refresh fails, toast 'Session expired, please log in again.' and log out.":
    by(
      sentAgain,
      expires,
      authorised('renews the token once after a 401 and tries again'),
      session('ends the session when no new token can be had, and says so once'),
      announce('on expiry the user is told once, in the specified words'),
    ),
  "Login failure / Product behaviour: Error toast with the server message or 'Login failed'.": by(
    signIn('that fails without a word of the door’s says so in the page’s, and after 30 s without an answer'),
    signIn(
      'with a wrong password says so and stays',
      'that is refused in the server’s words repeats them, and else says that it failed',
    ),
    loginPage('tells %s in a toast'),
  ),
  "Provider login start failure / Product behaviour: The message or 'Failed to start Google login'.": by(
    configurationFails,
    toGoogle('with an unknown error says that it failed'),
    loginPage('tells %s when the way to Google does not begin'),
  ),
  "Reset password success / Product behaviour: Toast 'Your password has been reset successfully' (or the server text).":
    by(
      accounts('is replaced through the mailed link, which works once'),
      resetting('succeeds in the door’s words, and in the page’s where it has none'),
      resetPage('saves the password, says so in the door’s words and goes to sign-in'),
    ),
  "Reset password failure / Product behaviour: Toast with the server message or 'Failed to reset your password'.":
    by(
      resetting('fails in the door’s words, and in the page’s where it has none'),
      accounts(
        'is not replaced by what the server refuses, in a whole sentence at the field and in the toast',
      ),
      resetPage('offers a new link when this one is spent', 'keeps the form and tells %s'),
    ),
  "Logout success / Product behaviour: Toast 'Logged out successfully'.": by(
    signIn('ends with signing out, for this tab and the next'),
  ),
  "Config fetch 404 / Product behaviour: 'Configuration endpoint not found. Please ensure backend is running.'":
    by(configurationFails, provider('when %s')),
  "Config fetch 5xx / Product behaviour: 'Backend configuration error. Please try again later.'": by(
    configurationFails,
    provider('when %s'),
  ),
  "Config fetch other failure / Product behaviour: 'Failed to fetch application configuration.'": by(
    configurationFails,
    noClient,
    provider('when %s'),
  ),
  "Refresh blocked by backoff / Product behaviour: 'Refresh backoff due to consecutive failures'": by(
    refreshesBlocked,
    manager('blocks after three failures for 2 s, and says why'),
  ),
  "Unhandled page error / Product behaviour: 'Something went wrong.' and 'We're working to fix the issue. Please try again later.'":
    by(loading('says so in the specification’s words, and keeps the frame')),
  "Cache panel, re-auth fails / Product behaviour: 'Auth failed: Please log in again'": by(
    panels('reads again with a new token after a 401, once, and says so when that is refused too'),
    cacheWatch('says so when signing in again is the only way, and takes it back when a reading succeeds'),
  ),
  "Cache panel, no user / Product behaviour: 'Error: Not authenticated'": by(
    panels('says that no user is signed in'),
    cacheWatch('says that no user is signed in, without a call, and resumes after a sign-in'),
  ),
  'Cache panel reset, clear or test fails / Product behaviour: Status lines prefixed Reset error, Clear error, Test error':
    by(panels('says which action failed'), cacheWatch('prefixes what went wrong with %s by %s')),
  "Role check fails / Product behaviour: 'Access Restricted' card (see section 6)": by(adminAlone),
  'OAuth and callback messages are listed in section 5.': by(
    returnsWrong,
    comeBack('is not believed %s', 'with %s is not believed'),
  ),
  'Server error bodies are not shown.': by(
    signIn('with a wrong password says so and stays'),
    testsOf('web/src/http/errors.test.ts')('reads reason, metadata and field violations of a status'),
  ),
};
