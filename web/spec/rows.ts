import { type Test, testsOf } from './evidence';

/** A statement of the specification, with its tests. */
export type Row = { section: number; line: string; tests?: Test[]; elsewhere?: string; deviation?: number };

type Shown = Omit<Row, 'section' | 'line'>;

const by = (...tests: Test[][]): Shown => ({ tests: tests.flat() });
/** Screens of another area show it, or the part that these tests do not. */
const elsewhere = (screens: string, ...tests: Test[][]): Shown => ({
  elsewhere: screens,
  ...(tests.length > 0 ? { tests: tests.flat() } : {}),
});
/** `deviations.md` describes the deviation, and the tests show it. */
const departing = (deviation: number, ...tests: Test[][]): Shown => ({ deviation, tests: tests.flat() });

const accounts = testsOf('web/e2e/accounts.e2e.ts');
const addresses = testsOf('web/e2e/addresses.e2e.ts');
const agent = testsOf('web/e2e/agent-settings.e2e.ts');
const agentChat = testsOf('web/e2e/agent-chat.e2e.ts');
const agentPublication = testsOf('web/e2e/agent-publication.e2e.ts');
const bookingSystem = testsOf('web/e2e/booking-system.e2e.ts');
const components = testsOf('web/e2e/components.e2e.ts');
const customers = testsOf('web/e2e/customers.e2e.ts');
const demo = testsOf('web/e2e/demo.e2e.ts');
const details = testsOf('web/e2e/details.e2e.ts');
const employeeManagement = testsOf('web/e2e/employee-management.e2e.ts');
const dependencies = testsOf('web/e2e/dependencies.e2e.ts');
const edge = testsOf('web/e2e/edge.e2e.ts');
const events = testsOf('web/e2e/event-tracking.e2e.ts');
const google = testsOf('web/e2e/google.e2e.ts');
const googleCalendar = testsOf('web/e2e/google-calendar.e2e.ts');
const insights = testsOf('web/e2e/insights.e2e.ts');
const intelligence = testsOf('web/e2e/intelligence.e2e.ts');
const items = testsOf('web/e2e/items.e2e.ts');
const loading = testsOf('web/e2e/loading.e2e.ts');
const longLists = testsOf('web/e2e/long-lists.e2e.ts');
const onboarding = testsOf('web/e2e/onboarding.e2e.ts');
const sync = testsOf('web/e2e/sync.e2e.ts');
const pairings = testsOf('web/e2e/pairings.e2e.ts');
const panels = testsOf('web/e2e/panels.e2e.ts');
const refresh = testsOf('web/e2e/refresh.e2e.ts');
const requests = testsOf('web/e2e/requests.e2e.ts');
const resetting = testsOf('web/e2e/reset-password.e2e.ts');
const roleChecks = testsOf('web/e2e/role-checks.e2e.ts');
const roles = testsOf('web/e2e/roles.e2e.ts');
const setup = testsOf('web/e2e/setup.e2e.ts');
const signIn = testsOf('web/e2e/sign-in.e2e.ts');
const returning = testsOf('web/e2e/session.e2e.ts');
const start = testsOf('web/e2e/session-start.e2e.ts');
const team = testsOf('web/e2e/team.e2e.ts');
const theme = testsOf('web/e2e/theme.e2e.ts');
const toasts = testsOf('web/e2e/toasts.e2e.ts');
const toGoogle = testsOf('web/e2e/provider.e2e.ts');

const announce = testsOf('web/src/session/announce.test.ts');
const arrival = testsOf('web/src/session/provider/arrival.test.ts');
const access = testsOf('web/src/api/access.test.ts');
const authorised = testsOf('web/src/http/authorised.test.ts');
const breakpoints = testsOf('web/src/ui/theme.test.ts');
const cacheWatch = testsOf('web/src/dev-panels/cache-watch.test.ts');
const callbackPage = testsOf('web/src/sign-in/callback-page.test.tsx');
const clientCache = testsOf('web/src/api/query-limits.test.ts');
const colourMode = testsOf('web/src/ui/colour-mode.test.ts');
const loginPage = testsOf('web/src/sign-in/login-page.test.tsx');
const manager = testsOf('web/src/session/refresh-manager.test.ts');
const protectedPage = testsOf('web/src/sign-in/protected.test.tsx');
const protection = testsOf('web/src/session/protection.test.ts');
const provider = testsOf('web/src/session/provider/provider.test.ts');
const ranks = testsOf('web/src/session/roles.test.ts');
const reportSent = testsOf('web/src/reports/send.test.ts');
const resetPage = testsOf('web/src/sign-in/reset-password-page.test.tsx');
const comeBack = testsOf('web/src/session/provider/return.test.ts');
const router = testsOf('web/src/router.test.ts');
const session = testsOf('web/src/session/session.test.ts');
const skeletons = testsOf('web/src/layout/skeletons.test.ts');
const timetable = testsOf('web/src/session/timetable.test.ts');
const transport = testsOf('web/src/http/transport.test.ts');

const doorAccount = testsOf('bff/tests/it/browser/account.rs');
const doorPage = testsOf('bff/tests/it/browser/page.rs');
const doorProduction = testsOf('bff/tests/it/browser/production.rs');
const doorSession = testsOf('bff/tests/it/browser/session.rs');
const authSignIn = testsOf('services/auth/tests/it/sign_in.rs');
const authAccount = testsOf('services/auth/tests/it/account.rs');
const cacheStats = testsOf('services/telemetry/tests/it/caches.rs');
const limits = testsOf('services/auth/tests/it/sign_in_limit.rs');
const devices = testsOf('services/auth/tests/it/devices.rs');
const record = testsOf('services/auth/tests/it/security.rs');
const profile = testsOf('services/boot/src/security.rs');
const profiles = testsOf('services/local/tests/it/profiles.rs');
const panelAnswer = testsOf('services/local/tests/it/panel.rs')(
  'the_panel_is_answered_with_these_fields_and_no_others',
);

const production = profile('production_is_as_strict_as_the_specification_says');
const development = profile('development_is_as_strict_as_the_specification_says');
const underTest = profile('test_is_as_strict_as_the_specification_says');
const openToAll = addresses('open to everyone, as %s, asks for no sign-in');
const behindSignIn = addresses(
  'behind the sign-in, as %s, leads a stranger there and leaves no way back to nothing',
);
const ofBusiness = addresses('of a business, as its %s, is shown to every employee');
const adminAlone = addresses('is for ADMIN alone, on every page of it');

const administered = setup('stands on the home of administrators and among all businesses until it is ready');
const guestRefused = roles('a guest is refused at /{businessId}/%s, which shows people’s data');
const adminRoutes = router('every address of the admin area but the component library requires ADMIN');
const signedInOnly = router(
  'addresses of a business and of a person’s own stand behind the sign-in, for any role',
);
const lifetimes = [
  ...profiles('access_and_refresh_tokens_live_as_long_as_the_profile_says'),
  ...authSignIn('lifetimes_are_those_of_the_environments_security_profile'),
];
const signInsBlocked = profiles(
  'so_many_failures_in_a_quarter_of_an_hour_block_for_as_long_as_the_profile_says',
);
const recordShown = profiles('a_record_shows_as_many_events_and_as_old_ones_as_the_profile_says');
const unlimited = profiles('under_test_no_number_of_failures_blocks');

const returnsWrong = returning(
  'reached with “%s” says what is wrong',
  'reached with another state, or without the verifier, says what is wrong',
);
const withGoogle = google('creates an account at the first sign-in, and finds it at the next');
const namesThePerson = start(
  'is named by their e-mail after signing in, and by their token after a silent refresh',
  'is read from the server when the token has no claims, and is a placeholder when that fails',
);
const ends = start(
  'ends with the person where the refresh cookie is good',
  'ends without a user when the server refuses, fails or is out of reach',
);
const stopsLoading = start(
  'stops loading after 12 s although the refresh still runs',
  'stops loading after 15 s whatever happens',
);
const refreshesBlocked = refresh(
  'are blocked after three for 2 s, doubled by each one more, until a sign-in',
);
const renews = refresh('begins so many minutes before the token ends, as the door told the page: %s');
const expires = refresh('ends the session when no new token can be had, and tells the user');
const sentAgain = refresh(
  'is sent again with a new one, which all that were refused have in common',
  'is sent again once, not for ever',
);
const codeRequest = toGoogle(
  'is an authorization-code request with PKCE, state and nonce, and the page keeps their secrets',
);
const doorsFlow = toGoogle(
  'is the door’s where the browser keeps nothing for the page, its host being the API’s without /api',
);
const buttonWaits = toGoogle(
  'the button waits, for 2 s after the redirect did not happen',
  'the button is free after 8 s although the configuration never came',
);
const configurationFails = toGoogle('because the configuration is answered with %s says so');
const noClient = toGoogle('because the door is out of reach, or names no client, says so');
const toldAs = roleChecks('told as %s is %s, goes where that may and not to the admin area');

const table: Record<number, Record<string, Shown>> = {
  2: {
    'Public routes:': by(openToAll, router('all others are public')),
    '/login: email and password, or OAuth.': by(
      openToAll,
      loginPage(
        'goes on with the person, to what they wanted',
        'sends to Google with what the person wanted',
      ),
    ),
    '/register: employee registration.': by(
      openToAll,
      accounts(
        'is sent, accepted with a new account, and leads to the business',
        'creates an account without a membership, whose address the mailed link confirms',
      ),
    ),
    '/forgot-password.': by(openToAll, accounts('is replaced through the mailed link, which works once')),
    '/reset-password: set a new password using a reset token.': by(
      openToAll,
      accounts('is replaced through the mailed link, which works once'),
    ),
    '/auth/callback: provider callback.': by(
      openToAll,
      callbackPage(
        'signs in with the code of the page’s own flow, and goes where the person wanted',
        'signs in with the handoff of the door’s flow, and goes to the person’s workplace',
      ),
    ),
    'Query parameters: token, error, state.': departing(
      2,
      returning('takes the token out of address and history before any other request'),
      returnsWrong,
      arrival('takes what the address carries out of address and history'),
      comeBack('redeems the handoff for a session', 'with %s is not believed', 'is not believed %s'),
    ),
    '/demo, /debug, /privacy, /components (component library).': by(
      openToAll,
      components('is public at %s, in light and dark'),
      addresses(
        'shows what the page knows of its installation, and no secret',
        'is there in production as well',
      ),
      demo(
        'plays by itself, and is led by keys and buttons to the booking',
        'stands still where little motion is wanted',
      ),
    ),
    '/admin/components is also public.': by(components('is public at %s, in light and dark')),
    'The root path redirects to /onboarding.': by(addresses('without a path leads to onboarding')),
    'Any unknown path shows a not-found page.': by(
      addresses('that is unknown, as %s, shows the not-found page'),
      signIn('is not required at an unknown address'),
    ),
    'Onboarding routes (not protected):': by(
      openToAll,
      onboarding('takes no answer that it did not ask for'),
    ),
    '/onboarding: calendar setup index.': by(
      onboarding(
        'begins at the setup for who is signed in without a calendar, and is passed by once access is given',
      ),
      onboarding('goes from a visitor to the first reading, and stands there after a reload'),
      openToAll,
    ),
    '/onboarding/flow.': by(
      onboarding('goes from a visitor to the first reading, and stands there after a reload'),
    ),
    '/onboarding/oauth-mock: simulated calendar consent screen.': by(
      onboarding('ends at a denial with nothing kept, and the session goes on'),
    ),
    '/onboarding/oauth-callback.': by(
      onboarding('takes no answer that it did not ask for'),
      googleCalendar('is not connected where its owner denies it or allows only part of it'),
    ),
    'Protected business routes (a logged-in user is required):': by(behindSignIn, signedInOnly),
    '/{businessId}: business home.': departing(
      3,
      ofBusiness,
      addresses('with a first segment that is no id shows the not-found page, signed in or not'),
    ),
    '/{businessId}/calls and /{businessId}/calls/{callId}.': departing(
      12,
      ofBusiness,
      addresses('of a call leads from the list to its own page'),
      guestRefused,
    ),
    '/{businessId}/items: menu items and inventory.': by(
      ofBusiness,
      items(
        'are added by a manager, received, sold by an employee, counted and undone',
        'are imported after the bad lines were shown, and exported without formulas',
      ),
    ),
    '/{businessId}/details.': by(
      details(
        'are changed by its owner, who is told of another change in between',
        'are read by %s, who cannot change them',
        'show which visits a closure would leave outside the hours before it is saved',
        'keep a closure, which can be removed and brought back',
        'have the booking rules, which are saved',
        'say what the agent does and where the platform delivers',
      ),
    ),
    '/{businessId}/services: services and pricing.': by(ofBusiness),
    '/{businessId}/customers.': by(
      ofBusiness,
      customers('are found by the last four digits, changed, and show their visit of a later month'),
    ),
    'User account routes:': by(behindSignIn, signedInOnly),
    "/my/businesses: the user's businesses.": by(addresses('of the user’s businesses lists them')),
    '/my/account: profile.': by(
      addresses('of the user’s account shows their profile'),
      accounts('changes the name, and changes it back'),
    ),
    'Admin routes (all protected, ADMIN role required):': {
      ...departing(10, adminAlone, adminRoutes),
      elsewhere: 'the admin pages other areas bring',
    },
    '/admin: admin menu home.': by(adminAlone, administered),
    '/admin/businesses, /admin/businesses/create.': by(
      adminAlone,
      setup('is set up from nothing, left and gone on with, and its people come in'),
    ),
    '/admin/businesses/{businessId}/agent-settings.': by(
      agent('are changed as a draft, previewed, published, compared and rolled back'),
      agent('are for owners, and the same for administrators'),
      agent('are what the next call over our own agent runs on, and its page says which version'),
      agentChat('runs on the draft, shows its tools, keeps no time, is stopped, and is tried again'),
      agentChat('is the same for administrators, with what is published'),
      agentChat('replays a past call beside what happened, and stores nothing of it'),
      agentPublication(
        'what is published is brought to a platform, compared, put right, and its webhook tested',
      ),
    ),
    '/admin/insights.': by(
      insights('are for managers of the business, and an administrator chooses it first'),
      insights('count a call by its reason, and every number opens the calls behind it'),
    ),
    '/admin/employee-management: bulk add employees and assign calendars.': by(
      adminAlone,
      employeeManagement('adds pasted employees with calendars and invitations after showing the bad lines'),
      employeeManagement('assigns a calendar to an employee who is there already'),
    ),
    '/admin/biz, /admin/event-tracking.': by(
      administered,
      events('shows what a person opens and how calls end, live, and exports it'),
    ),
    '/admin/salon-scheduling/{businessId?}: the business is optional.': elsewhere(
      'salon scheduling: the day view',
    ),
    '/admin/schedule and /admin/schedule/employee/{employeeId}.': by(
      team('is the same for administrators, for the business they choose'),
      setup('an employee’s address for administrators finds its business'),
    ),
    '/admin/dependencies: service dependency graph.': by(
      dependencies('refuse one that contradicts others, and show which, in words and in the graph'),
    ),
    '/admin/provider-sync.': by(
      bookingSystem(
        'is read, mapped and kept in step, both ways, and one refused appointment stops no other',
      ),
    ),
    '/admin/provider-credentials/{businessId}.': by(
      bookingSystem('is connected with a token that is tested, replaced and never shown again'),
    ),
    '/admin/service-pairings.': by(
      pairings('that were measured are shown with both sides, and can be suggested'),
    ),
    '/admin/service-intelligence and /admin/service-intelligence/{businessId}.': by(
      intelligence('are not for employees, and an administrator chooses the business first'),
    ),
    '/admin/appointment-sync, /admin/provider-availability, /admin/schedule-check-test, /admin/saloniq-consistency.':
      by(
        bookingSystem('is compared with the book, employee by employee, and says so when it is away'),
        sync('show how each appointment is in them, with its history'),
        sync('are compared with the book, and what differs is repaired line by line'),
      ),
    'Loading behaviour: while a page loads, a placeholder skeleton is chosen by path.': departing(
      9,
      skeletons('the placeholder of a page is chosen by its path'),
      loading(
        'the previous page stays under a thin progress line, for 1500 ms',
        'a placeholder is shown at once if there was no page before',
      ),
    ),
    'The kinds are account, business list, calls table, business detail, login/register, and dashboard.': by(
      loading('is a %s where its path asks for one'),
      skeletons('the placeholder of a page is chosen by its path'),
    ),
    'A floating auth dev panel and a cache dev panel exist for development only.': by(
      panels('float over every page while developing', 'do not exist in %s'),
      doorProduction('nothing_for_developers_exists_in_production'),
    ),
    'Contents of each page beyond what is listed here are not shown.': by(ofBusiness),
    'Global shell: a toast area at the top-right with a 5000 ms auto-close, and a query-devtools panel at the bottom-left, minimised by default.':
      by(
        toasts('make room for the next one'),
        toasts('stand at the top right, one at a time, and go when dismissed', 'go by themselves after 5 s'),
        panels('is at the bottom left, minimised, %s wide'),
      ),
    'The light or dark colour mode is kept in local storage.': by(
      requests('is light or dark, as they chose, whatever the system likes'),
      colourMode('is kept in local storage over a reload'),
    ),
  },
  3: {
    'User (held in the client): id, name, email, role, provider, businessIds.': by(
      requests('is the user, for five minutes, and that there was a session'),
    ),
    'After password login the id is a placeholder and the name is the part of the email before the @.': by(
      namesThePerson,
      session('names the user by their e-mail until more is known'),
    ),
    'After a silent refresh the id and email come from the access-token payload (fields sub, email, role), with placeholder fallbacks.':
      by(
        namesThePerson,
        session(
          'signs in silently, reading the user from the token',
          'falls back to placeholders when the server fails too',
        ),
      ),
    'The provider is set to email.': by(
      namesThePerson,
      session('signs in silently, reading the user from the token'),
    ),
    'Login response: token, role, businessIds.': by(
      edge('signing in and refreshing answer token, role and businessIds'),
      doorSession('signing_in_grants_a_token_to_the_page_and_a_cookie_to_the_browser_alone'),
    ),
    'Refresh response: token, role, businessIds.': by(
      edge('signing in and refreshing answer token, role and businessIds'),
      doorSession('refreshing_renews_the_cookie_and_keeps_the_session'),
    ),
    'Businesses response: businessIds.': by(edge('the businesses of a person come for the token alone')),
    'Frontend configuration response: oauth {googleClientId, googleAuthUrl, scopes as a space-separated string}, plus app.environment and features (both only logged).':
      by(
        edge('the configuration of the frontend comes without a session'),
        provider('logs environment and features, and nothing else comes of them'),
      ),
    'Cached auth state in local storage: user, timestamp, expiresAt.': by(
      requests('is the user, for five minutes, and that there was a session'),
    ),
    'A cached user, an accessToken and a refreshToken are also stored.': departing(
      1,
      requests('is the user, for five minutes, and that there was a session', 'is nothing after signing out'),
      session(
        'stores no token anywhere',
        'refreshes although a user is cached, and drops a cache older than five minutes',
      ),
      signIn('outlives a reload, with no token in any storage'),
    ),
    'Cache panel response:': by(panelAnswer, cacheStats('the_answer_is_json_as_the_panel_reads_it')),
    'globalMetrics: hitRatePercentage, totalOperations, totalHits, totalMisses, totalErrors.': by(
      panelAnswer,
      cacheStats(
        'the_answer_is_json_as_the_panel_reads_it',
        'what_another_service_did_is_shown_by_kind_and_in_total',
      ),
    ),
    'infrastructure: connectionStatus, responseTime, memoryUsage, totalKeys.': by(
      panelAnswer,
      cacheStats(
        'the_answer_is_json_as_the_panel_reads_it',
        'without_redis_the_panel_says_so_and_changes_are_refused',
      ),
    ),
    'isHealthy.': by(
      panelAnswer,
      cacheStats(
        'the_answer_is_json_as_the_panel_reads_it',
        'without_redis_the_panel_says_so_and_changes_are_refused',
      ),
    ),
    'recentOperations: operation, key, operationType, result, success, durationMs, timestamp.': by(
      panelAnswer,
      cacheStats('the_answer_is_json_as_the_panel_reads_it'),
    ),
    'operationBreakdown: per type, count and hitRate.': by(
      panelAnswer,
      cacheStats(
        'the_answer_is_json_as_the_panel_reads_it',
        'what_another_service_did_is_shown_by_kind_and_in_total',
      ),
    ),
    'Fields of business, call, item, service, customer, employee and schedule records are not shown.':
      elsewhere(
        'customers, employees and schedules',
        items('are added by a manager, received, sold by an employee, counted and undone'),
        addresses('of a call leads from the list to its own page'),
      ),
  },
  4: {
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
    'Afterwards, with no user, clear the cached auth and redirect to /login, replacing the history entry.':
      by(
        start('verifies a session that stopped loading before it was known, for 5 s as well'),
        behindSignIn,
        protectedPage(
          'leads to sign-in at once when the start ended without a user, and clears the cached user',
        ),
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
  },
  5: {
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
  },
  6: {
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
  },
  7: {
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
  },
  8: {
    "401 on a non-/auth/ call / Product behaviour: Refresh and retry. If the refresh fails, toast 'Session expired, please log in again.' and log out.":
      by(
        sentAgain,
        expires,
        authorised('renews the token once after a 401 and tries again'),
        session('ends the session when no new token can be had, and says so once'),
        announce('on expiry the user is told once, in the specified words'),
      ),
    "Login failure / Product behaviour: Error toast with the server message or 'Login failed'.": by(
      signIn(
        'that fails without a word of the door’s says so in the page’s, and after 30 s without an answer',
      ),
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
  },
  9: {
    'Requests and sessions:': by(
      signIn(
        'that fails without a word of the door’s says so in the page’s, and after 30 s without an answer',
      ),
      transport('gives up after %s'),
    ),
    'Default request timeout 30 s; 10 min for the long-running client.': by(
      signIn(
        'that fails without a word of the door’s says so in the page’s, and after 30 s without an answer',
      ),
      start('gives the refresh up with the request, after 30 s'),
      transport('gives up after %s'),
    ),
    'The local-storage auth cache lasts 5 min.': by(
      requests('is the user, for five minutes, and that there was a session'),
      session('refreshes although a user is cached, and drops a cache older than five minutes'),
    ),
    'Refresh failure limit 3; base backoff 2 s, doubling per failure beyond the third.': by(
      refreshesBlocked,
      manager(
        'blocks after three failures for 2 s, and says why',
        'doubles the wait with each failure beyond the third',
      ),
    ),
    'Silent-refresh timeouts 12 s and 15 s.': by(
      stopsLoading,
      session(
        'stops loading after 12 s although the refresh still runs',
        'stops loading after 15 s whatever happens',
      ),
    ),
    'Protected-route wait 5 s.': by(
      start('waits at most 5 s for a session with no start or refresh running, then leads to sign-in'),
      protection('waits at most 5 s when nothing else applies'),
    ),
    'OAuth loading resets at 2 s and 8 s.': by(
      buttonWaits,
      provider(
        'the button waits, for 2 s after the redirect did not happen',
        'the button is free after 8 s although the configuration never came',
      ),
    ),
    'PKCE verifier 32 random bytes; state value 16 random bytes.': by(
      codeRequest,
      provider('creates a verifier of 32 random bytes and a state of 16, and never sends the verifier'),
    ),
    'Scopes: openid, email, profile.': by(codeRequest, provider('%s')),
    'Security profile by environment (the environment is test on localhost port 3000, otherwise production):':
      departing(
        7,
        doorPage('the_page_is_told_of_its_installation'),
        authSignIn('lifetimes_are_those_of_the_environments_security_profile'),
        profile('production_runs_under_no_weaker_profile'),
      ),
    'Max login attempts / Production: 5 in 15 min': departing(
      8,
      production,
      signInsBlocked,
      limits(
        'five_failures_block_the_right_password_for_an_hour_and_the_message_says_until_when',
        'a_right_password_forgets_the_failures_before_it_and_a_quarter_of_an_hour_does',
        'an_address_that_fails_a_hundred_times_is_blocked_for_every_account',
        'the_owner_lifts_a_members_block_and_no_others',
      ),
      devices('a_trusted_device_enters_through_the_block_that_others_caused_and_is_counted_by_itself'),
    ),
    'Max login attempts / Development: 10 in 15 min': by(development, signInsBlocked),
    'Max login attempts / Test: rate limiting off': by(underTest, unlimited),
    'Block duration / Production: 60 min': departing(
      8,
      production,
      signInsBlocked,
      limits('five_failures_block_the_right_password_for_an_hour_and_the_message_says_until_when'),
    ),
    'Block duration / Development: 5 min': by(development, signInsBlocked),
    'Block duration / Test: n/a': by(underTest, unlimited),
    'Trusted device for sensitive actions / Production: required': by(
      production,
      doorProduction('what_is_sensitive_waits_for_a_trusted_device_and_not_a_moment_longer'),
      testsOf('web/e2e/trusted-device.e2e.ts')(
        'a password is changed after the mailed code, then without one, until the trust is revoked',
      ),
    ),
    'Trusted device for sensitive actions / Development: not shown': by(
      development,
      doorProduction('elsewhere_a_trusted_device_is_not_asked_for'),
    ),
    'Trusted device for sensitive actions / Test: not shown': by(
      underTest,
      doorProduction('elsewhere_a_trusted_device_is_not_asked_for'),
    ),
    'Events stored / Production: up to 1000 for 30 days': by(
      production,
      recordShown,
      record('production_keeps_a_thousand_entries_for_thirty_days'),
    ),
    'Events stored / Development: 200 for 7 days': by(
      development,
      recordShown,
      record('a_record_keeps_the_profiles_latest_entries_and_forgets_the_old'),
    ),
    'Events stored / Test: 50 for 1 day': by(
      underTest,
      recordShown,
      record('a_record_keeps_the_profiles_latest_entries_and_forgets_the_old'),
    ),
    'Access token lifetime / Production: 15 min': by(production, lifetimes),
    'Access token lifetime / Development: 60 min': by(development, lifetimes),
    'Access token lifetime / Test: 60 min': by(underTest, lifetimes),
    'Refresh token lifetime / Production: 7 days': by(production, lifetimes),
    'Refresh token lifetime / Development: 30 days': by(development, lifetimes),
    'Refresh token lifetime / Test: 1 day': by(underTest, lifetimes),
    'Renewal threshold / Production: 5 min': by(
      production,
      renews,
      timetable('renews the token of %s under %i minutes before its %i are over'),
    ),
    'Renewal threshold / Development: 10 min': by(
      development,
      renews,
      timetable('renews the token of %s under %i minutes before its %i are over'),
    ),
    'Renewal threshold / Test: not shown': by(
      underTest,
      profiles('a_page_is_told_its_environment_and_no_renewal_threshold'),
    ),
    'Interface defaults:': by(toasts('are three at most, and go after 4 s')),
    'Toasts: in the auth layer 4 s duration, 3 visible, bottom-right; in the shell 1 at a time, 5 s, top-right.':
      by(
        toasts('make room for the next one'),
        toasts(
          'stand at the bottom right',
          'are three at most, and go after 4 s',
          'stay for all of the 4 s',
          'stand at the top right, one at a time, and go when dismissed',
          'keep their corner over a dialog, and leave a drawer free',
          'go by themselves after 5 s',
        ),
      ),
    'Cache panel poll 2 s.': by(
      panels('reads every 2 s while it is open, and stops when it is closed'),
      cacheWatch('reads at once when it opens, then every two seconds, and stops when it is closed'),
    ),
    'Client cache: max 500 entries, TTL 5 min, cleanup every 60 s.': by(
      loading('stays for five minutes, and is then removed'),
      clientCache(
        'holds five hundred answers for five minutes and cleans every minute',
        'lets the oldest go for the five hundred and first',
        'removes what is five minutes old at the next cleaning, not before',
      ),
    ),
    'Skeleton delay 1500 ms; retries 3 with 1 s delay; virtualization threshold 100 rows.': departing(
      9,
      loading(
        'the previous page stays under a thin progress line, for 1500 ms',
        'is retried three times, a second apart, before the page reports it',
        'of %s rows is all in the document: %s',
        'of %s businesses is all in the document: %s',
      ),
      longLists(
        'of %s %s is all in the document: %s',
        'keeps the row with the focus, from which Tab goes on to the next',
        'of lines that can’t be imported grows past a hundred, and the page stays in place',
      ),
    ),
    'Theme: primary #148c84, secondary #187488, white text on contained buttons, toolbar text #333333, app bar background #f2f2f2.':
      departing(
        11,
        theme(
          'paints contained buttons primary with white text, large and bold enough to read',
          'writes links in the secondary colour, and in a lighter one in the dark',
          'gives the bar its background, and what is written on it its colour',
        ),
      ),
    'Heading 1 is 2rem at weight 600, heading 2 is 1.5rem at weight 500, body 1rem.': by(
      theme(
        'sizes headings and text alike on a desk and a phone',
        'sizes the headings of %s alike, %s wide',
        'sizes the headings of a week on a phone alike',
        'sizes the heading of a page that can’t be shown like any other',
      ),
    ),
    'Button corner radius 8px, text field 4px.': by(
      theme(
        'paints contained buttons primary with white text, large and bold enough to read',
        'rounds text fields by 4px',
      ),
    ),
    'Breakpoints xs 0, sm 600, md 900, lg 1200, xl 1536.': by(
      breakpoints(
        'the breakpoints are those the specification names, and no others',
        'what is said of no breakpoint holds from 0 on',
      ),
      theme(
        'gives cards more room from 600 on',
        'moves the navigation to the side from 900 on',
        'sets a business’s home in two columns from 1200 on',
      ),
    ),
    'Limits on business data are not shown.': elsewhere('the screens of business data'),
  },
};

/** The table, line by line. */
export const rows: Row[] = Object.entries(table).flatMap(([section, lines]) =>
  Object.entries(lines).map(([line, shown]) => ({ section: Number(section), line, ...shown })),
);
