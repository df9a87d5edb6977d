import {
  accounts,
  authAccount,
  authorised,
  cacheStats,
  cacheWatch,
  comeBack,
  doorAccount,
  doorPage,
  doorProduction,
  doorSession,
  edge,
  googleCalendar,
  onboarding,
  panels,
  provider,
  requests,
  resetPage,
  session,
  toGoogle,
  transport,
} from './files';
import { by, departing, elsewhere, type Shown } from './shown';
import { codeRequest, doorsFlow, namesThePerson, withGoogle } from './tests';

export const section7: Record<string, Shown> = {
  'All calls send credentials (cookies), a JSON content type, an Authorization Bearer header when a token is held, and an X-Session-Id header (a random value kept in session storage).':
    by(
      requests('carries the token to the door’s own paths as well'),
      transport('sends the current token if a request names none, and none if there is none'),
      requests(
        'carries cookies, a JSON content type, the tab’s random id and the token once there is one',
        'has another id in another tab',
      ),
      transport('stays the same within a tab'),
    ),
  'The XSRF cookie XSRF-TOKEN is echoed in the header X-XSRF-TOKEN.': departing(
    6,
    requests('echoes the XSRF cookie in the header when it changes something, and when it refreshes'),
  ),
  'The base address comes from the runtime configuration (API base URL and websocket URL).': by(
    requests('goes where the runtime configuration says, not where the page thinks'),
    doorPage('the_page_is_told_of_its_installation'),
  ),
  'The API base is {host}/api in production and the local machine in development and test.': by(
    requests('goes to the API of its host, and its socket beside it'),
    doorPage('the_page_is_told_of_its_installation'),
  ),
  'POST /auth/login / Payload: email, password': by(
    requests('signs in with e-mail and password, refreshes and signs out with nothing'),
  ),
  'POST /auth/login / Answer: token, role, businessIds': by(
    edge('signing in and refreshing answer token, role and businessIds'),
  ),
  'POST /auth/oauth2/callback / Payload: code, codeVerifier, redirectUri': by(
    comeBack('exchanges code and verifier for a session, once'),
    edge('the code of a provider is taken with its verifier and the address it was sent to'),
  ),
  'POST /auth/oauth2/callback / Answer: not shown': by(
    withGoogle,
    comeBack('exchanges code and verifier for a session, once'),
  ),
  'GET /auth/refresh / Payload: none (uses refresh cookie)': by(
    requests('signs in with e-mail and password, refreshes and signs out with nothing'),
    doorSession(
      'refreshing_renews_the_cookie_and_keeps_the_session',
      'there_is_nothing_to_refresh_without_a_session',
    ),
  ),
  'GET /auth/refresh / Answer: token, role, businessIds': by(
    edge('signing in and refreshing answer token, role and businessIds'),
  ),
  'POST /auth/logout / Payload: none': by(
    requests('signs in with e-mail and password, refreshes and signs out with nothing'),
    doorSession('signing_out_ends_the_session_and_forgets_it'),
  ),
  'POST /auth/logout / Answer: not shown': departing(
    5,
    edge('signing out, a forgotten password and a diagnosis answer with a message'),
  ),
  'POST /auth/register/employee / Payload: payload is not shown': by(
    edge('registering takes name, e-mail and password, and answers the same with and without an account'),
    doorAccount('registering_hands_on_what_was_typed_and_says_what_comes_next'),
    accounts('is sent, accepted with a new account, and leads to the business'),
  ),
  'POST /auth/register/employee / Answer: not shown': by(
    edge('registering takes name, e-mail and password, and answers the same with and without an account'),
  ),
  'POST /auth/diagnose-user / Payload: email': by(doorAccount('a_developer_is_told_what_auth_knows')),
  'POST /auth/diagnose-user / Answer: not shown': departing(
    5,
    edge('signing out, a forgotten password and a diagnosis answer with a message'),
  ),
  'POST /auth/forgot-password / Payload: email': by(
    doorAccount('a_link_is_asked_for_in_the_same_words_for_everybody'),
  ),
  'POST /auth/forgot-password / Answer: not shown': departing(
    5,
    edge(
      'signing out, a forgotten password and a diagnosis answer with a message',
      'a forgotten password gets the same answer with and without an account',
    ),
  ),
  'POST /auth/reset-password / Payload: token, newPassword': by(
    edge('an invalid reset link is refused with a message, after token and newPassword are read'),
    doorSession('a_link_sets_a_password_once'),
    accounts('is replaced through the mailed link, which works once'),
  ),
  'POST /auth/reset-password / Answer: a success message as body': departing(
    5,
    doorSession('a_link_sets_a_password_once'),
    resetPage('saves the password, says so in the door’s words and goes to sign-in'),
  ),
  'GET /auth/me/businesses / Payload: none (bearer)': by(
    edge('the businesses of a person come for the token alone'),
  ),
  'GET /auth/me/businesses / Answer: businessIds': by(
    edge('the businesses of a person come for the token alone'),
    authAccount('a_person_sees_their_own_businesses_and_no_removed_ones'),
  ),
  'GET /auth/me / Payload: none': by(edge('an account comes for the token alone')),
  'GET /auth/me / Answer: fallback when the token cannot be parsed': by(
    namesThePerson,
    session('reads the user from the server when the token has no claims'),
    edge('an account comes for the token alone'),
  ),
  'GET /config/frontend / Payload: none': by(
    edge('the configuration of the frontend comes without a session'),
  ),
  'GET /config/frontend / Answer: OAuth configuration': by(
    edge('the configuration of the frontend comes without a session'),
  ),
  'GET /me/calendars / Payload: none': by(
    onboarding('ends at a denial with nothing kept, and the session goes on'),
  ),
  'GET /me/calendars / Answer: may carry authorizationRequired': departing(
    4,
    authorised('leaves the token alone where the calendars miss a consent'),
    onboarding('ends at a denial with nothing kept, and the session goes on'),
    googleCalendar(
      'is chosen, read and written, says that access was revoked, and goes on once it is renewed',
    ),
  ),
  'GET /v1/debug/cache-stats / Payload: none': by(panels('shows what the services’ cache really did')),
  'GET /v1/debug/cache-stats / Answer: cache panel response; polled every 2 s while the panel is open': by(
    panels('reads every 2 s while it is open, and stops when it is closed'),
    cacheStats('the_answer_is_json_as_the_panel_reads_it'),
  ),
  'POST /v1/debug/reset-metrics / Payload: none': by(
    panels('resets, clears and tests the cache'),
    cacheStats('resetting_clearing_and_testing_do_what_they_say'),
  ),
  'POST /v1/debug/reset-metrics / Answer: not shown': by(
    panels('resets, clears and tests the cache'),
    cacheStats('resetting_clearing_and_testing_do_what_they_say'),
  ),
  'POST /v1/debug/clear-cache / Payload: none': by(
    panels('resets, clears and tests the cache'),
    cacheStats('resetting_clearing_and_testing_do_what_they_say'),
  ),
  'POST /v1/debug/clear-cache / Answer: not shown': by(
    panels('resets, clears and tests the cache'),
    cacheStats('resetting_clearing_and_testing_do_what_they_say'),
  ),
  'POST /v1/debug/test-cache / Payload: none': by(
    panels('resets, clears and tests the cache'),
    cacheStats('resetting_clearing_and_testing_do_what_they_say'),
  ),
  'POST /v1/debug/test-cache / Answer: not shown': by(
    panels('resets, clears and tests the cache'),
    cacheStats('resetting_clearing_and_testing_do_what_they_say'),
  ),
  'A debug-only GET to /api/auth/debug/oauth-config is made on the local machine.': by(
    panels('asks how the provider is configured'),
    doorProduction('nothing_for_developers_exists_in_production'),
  ),
  'The cache panel calls are retried once after waiting for auth on a 401.': by(
    panels('reads again with a new token after a 401, once, and says so when that is refused too'),
    cacheWatch('waits for auth and tries once more', 'does not try a third time'),
  ),
  'The provider-login redirect address is built from the API base URL with any trailing /api removed.': by(
    doorsFlow,
    provider('drop a trailing /api from the API’s base'),
  ),
  'If that URL contains localhost:8080, the frontend URL is {host} The authorization request uses the PKCE S256 method, access_type offline and prompt consent, with the redirect to /auth/callback.':
    by(
      toGoogle('comes back to the API’s host, and to the page’s own where that is localhost:8080'),
      codeRequest,
      provider(
        'come back to the page’s own host where the door is localhost:8080',
        'is an authorization-code request with PKCE, state and nonce',
      ),
    ),
  'Response bodies of logout, diagnose-user and forgot-password are not shown.': departing(
    5,
    edge('signing out, a forgotten password and a diagnosis answer with a message'),
  ),
  'Business data calls for the business, admin and onboarding screens are not shown.': elsewhere(
    'the screens that make them',
    requests('goes to the API of its host, and its socket beside it'),
  ),
};
