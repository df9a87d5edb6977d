import {
  accounts,
  addresses,
  agent,
  agentChat,
  agentPublication,
  agentReplay,
  arrival,
  bookingSystem,
  callbackPage,
  colourMode,
  comeBack,
  components,
  customers,
  demo,
  dependencies,
  details,
  doorProduction,
  employeeManagement,
  events,
  googleCalendar,
  insights,
  intelligence,
  items,
  loading,
  loginPage,
  onboarding,
  pairings,
  panels,
  requests,
  returning,
  router,
  setup,
  signIn,
  skeletons,
  sync,
  team,
  toasts,
} from './files';
import { by, departing, elsewhere, type Shown } from './shown';
import {
  adminAlone,
  administered,
  adminRoutes,
  behindSignIn,
  guestRefused,
  ofBusiness,
  openToAll,
  returnsWrong,
  signedInOnly,
} from './tests';

export const section2: Record<string, Shown> = {
  'Public routes:': by(openToAll, router('all others are public')),
  '/login: email and password, or OAuth.': by(
    openToAll,
    loginPage('goes on with the person, to what they wanted', 'sends to Google with what the person wanted'),
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
  'Onboarding routes (not protected):': by(openToAll, onboarding('takes no answer that it did not ask for')),
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
    agentReplay('a past call is replayed beside what happened, and nothing of it is stored'),
    agentReplay(
      'a replay says what has changed since, is stopped, breaks off on a model that hangs, and ends',
    ),
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
    bookingSystem('is read, mapped and kept in step, both ways, and one refused appointment stops no other'),
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
};
