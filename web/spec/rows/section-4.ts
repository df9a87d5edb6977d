import {
  addresses,
  announce,
  authorised,
  events,
  loading,
  manager,
  onboarding,
  protectedPage,
  protection,
  provider,
  refresh,
  reportSent,
  requests,
  session,
  start,
  toasts,
  toGoogle,
} from './files';
import { by, type Shown } from './shown';
import {
  behindSignIn,
  buttonWaits,
  codeRequest,
  doorsFlow,
  ends,
  expires,
  namesThePerson,
  refreshesBlocked,
  sentAgain,
  stopsLoading,
  withGoogle,
} from './tests';

export const section4: Record<string, Shown> = {
  'Auth state: no user, then user set after login, after the provider callback, or after a silent refresh.':
    by(
      namesThePerson,
      withGoogle,
      session(
        'signs in silently, reading the user from the token',
        'names the user by their e-mail until more is known',
        'reads the user from the token, and names the provider',
      ),
    ),
  'Logout clears the user, the access token and the cached auth state.': by(
    session(
      'clears everything, and no late answer brings it back',
      'ends the session here even when the server is out of reach',
    ),
    requests('is nothing after signing out'),
  ),
  'Session startup:': by(ends, session('signs in silently, reading the user from the token')),
  'If there is no user and the refresh backoff allows it, one silent refresh is attempted.': by(
    namesThePerson,
    session(
      'signs in silently, reading the user from the token',
      'does not try while the backoff forbids it, and still comes to its end',
      'needs no silent refresh before or after',
    ),
  ),
  'On success the user is set and loading ends.': by(
    ends,
    session('signs in silently, reading the user from the token'),
  ),
  'On failure or error loading ends with no user.': by(
    ends,
    session('ends without a user when the server refuses, and clears the cached user'),
  ),
  'In every case authentication is marked complete.': by(
    ends,
    session(
      'signs in silently, reading the user from the token',
      'ends without a user when the server refuses, and clears the cached user',
      'keeps the cached user when the server is out of reach',
      'does not try while the backoff forbids it, and still comes to its end',
    ),
  ),
  'Loading is forced to false after 15 s as a failsafe, and after 12 s if the silent refresh is still running.':
    by(
      stopsLoading,
      session(
        'stops loading after 12 s although the refresh still runs',
        'stops loading after 15 s whatever happens',
      ),
    ),
  'Refresh manager:': by(
    refresh('no second refresh begins'),
    refreshesBlocked,
    manager('runs one refresh for all callers meanwhile'),
  ),
  'Only one refresh runs at a time; other callers wait for its result.': by(
    refresh(
      'no second refresh begins',
      'because a call was refused, the calls of other pages wait for the new one',
    ),
    manager('runs one refresh for all callers meanwhile'),
  ),
  'After 3 consecutive failures, further attempts are blocked until a wait of 2000 ms, doubled for every failure beyond the third, has passed.':
    by(
      refreshesBlocked,
      manager(
        'blocks after three failures for 2 s, and says why',
        'doubles the wait with each failure beyond the third',
      ),
    ),
  "The failure is reported as 'Refresh backoff due to consecutive failures'.": by(
    refreshesBlocked,
    manager('blocks after three failures for 2 s, and says why'),
  ),
  'A successful login resets the failure count.': by(
    refreshesBlocked,
    manager('resets the backoff after a success or a sign-in'),
    session('lifts the backoff'),
  ),
  'On a 401 response to a call whose path is not under /auth/, the product refreshes the token once and retries the request.':
    by(
      sentAgain,
      authorised(
        'renews the token once after a 401 and tries again',
        'gives up when the renewed token is refused too',
        'leaves the token alone on paths of sign-in',
      ),
      reportSent('is sent again with a new token where the old one is refused'),
      events('notes what a person opened although their token was refused'),
    ),
  'Requests arriving during a refresh are queued and retried with the new token.': by(
    refresh(
      'because a call was refused, the calls of other pages wait for the new one',
      'because it is about to end, the calls wait for the new one as well',
    ),
    session('is waited for by calls that are made while it is renewed in good time'),
    session(
      'gets a new token, once for all refused calls',
      'is waited for by calls that are made while it is renewed',
    ),
  ),
  'If the refresh fails, the session is cleared and the user is logged out.': by(
    expires,
    session('ends the session when no new token can be had, and says so once'),
  ),
  'A toast is shown only if a token existed.': by(
    refresh('reports the end only if a token existed (%s)'),
    session('reports that there was no session if there had been none'),
    announce(
      'shows no toast when no token ever existed',
      'tells the user if a token existed before the reload',
    ),
  ),
  'A response to the calendars call that carries an authorizationRequired flag does not trigger a refresh.':
    by(
      onboarding('ends at a denial with nothing kept, and the session goes on'),
      authorised(
        'leaves the token alone where the calendars miss a consent',
        'renews it where the calendars miss a session, and where others carry that flag',
      ),
    ),
  'Protected route:': by(behindSignIn),
  'If a user or a cached user exists, render the page.': by(
    loading('a cached user’s page is shown, with placeholders, for as long as it takes'),
    protection('shows the page to a user, and to a cached one while the session loads'),
  ),
  'Otherwise, if a refresh is running, wait for it.': by(
    start(
      'waits for a refresh that runs, past every failsafe, and shows itself when it succeeds',
      'gives the refresh up with the request, after 30 s',
    ),
    protection('waits for a running refresh, however long, loading %s'),
    protectedPage('waits for a refresh that runs, and shows itself when it succeeds'),
  ),
  'If authentication is already complete with no user, go on to redirect.': by(
    start('leads to sign-in at once when the start ended without a user'),
    protection('sends to sign-in at once when the start is over without a user'),
  ),
  'If none of these applies, wait at most 5 s.': by(
    start('waits at most 5 s for a session with no start or refresh running, then leads to sign-in'),
    protection('waits at most 5 s when nothing else applies'),
    protectedPage(
      'waits at most 5 s for a session with no start or refresh running, then leads to sign-in and leaves no way back',
    ),
  ),
  'Afterwards, with no user, clear the cached auth and redirect to /login, replacing the history entry.': by(
    start('verifies a session that stopped loading before it was known, for 5 s as well'),
    behindSignIn,
    protectedPage('leads to sign-in at once when the start ended without a user, and clears the cached user'),
  ),
  'Loading states shown: Authenticating, Refreshing session, Verifying session.': by(
    start(
      'waits at most 5 s for a session with no start or refresh running, then leads to sign-in',
      'waits for a refresh that runs, past every failsafe, and shows itself when it succeeds',
      'verifies a session that stopped loading before it was known, for 5 s as well',
      'shows no form to a returning user while it lasts',
    ),
    protectedPage(
      'waits at most 5 s for a session with no start or refresh running, then leads to sign-in and leaves no way back',
      'waits for a refresh that runs, and shows itself when it succeeds',
      'verifies a session that stopped loading before it was known',
    ),
    protection('waits at most 5 s when nothing else applies'),
  ),
  'A cached user with a still-loading session renders the page (with skeletons) unless the role is insufficient.':
    by(
      loading('a cached user’s page is shown, with placeholders, for as long as it takes'),
      addresses(
        'is refused to a cached user before the server has confirmed the session, without advice to contact an administrator',
      ),
    ),
  'An invalid auth state redirects to /login.': by(
    session('takes no user from an invalid cache: %s'),
    loading('an invalid cache, as %s, leads to sign-in'),
  ),
  'Provider login flow: login is skipped if a user already exists.': by(
    toGoogle('is skipped while a user is signed in'),
    provider('is skipped while a user is signed in'),
  ),
  'Loading is reset after 2 s if no redirect happens, and after 8 s as a fallback.': by(
    buttonWaits,
    provider(
      'the button waits, for 2 s after the redirect did not happen',
      'the button is free after 8 s although the configuration never came',
    ),
  ),
  'Two variants exist: a frontend-driven authorization-code flow with PKCE and a state value, and a browser redirect to {host}/oauth2/authorization/google for a backend-driven flow.':
    by(
      codeRequest,
      doorsFlow,
      withGoogle,
      provider(
        'is an authorization-code request with PKCE, state and nonce',
        'where the browser keeps nothing for the page',
        'where the page may not digest',
      ),
    ),
  'Toasts: only 1 at a time in the shell, auto-dismiss after 5 s, removed after dismissal.': by(
    toasts('make room for the next one'),
    toasts('stand at the top right, one at a time, and go when dismissed', 'go by themselves after 5 s'),
  ),
  'Transitions of the onboarding flow are not shown.': by(
    onboarding('goes from a visitor to the first reading, and stands there after a reload'),
  ),
};
