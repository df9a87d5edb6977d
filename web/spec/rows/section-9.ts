import { testsOf } from '../evidence';
import {
  authSignIn,
  breakpoints,
  cacheWatch,
  clientCache,
  devices,
  doorPage,
  doorProduction,
  limits,
  loading,
  longLists,
  manager,
  panels,
  profile,
  profiles,
  protection,
  provider,
  record,
  requests,
  session,
  signIn,
  start,
  theme,
  timetable,
  toasts,
  transport,
} from './files';
import { by, departing, elsewhere, type Shown } from './shown';
import {
  buttonWaits,
  codeRequest,
  development,
  lifetimes,
  production,
  recordShown,
  refreshesBlocked,
  renews,
  signInsBlocked,
  stopsLoading,
  underTest,
  unlimited,
} from './tests';

export const section9: Record<string, Shown> = {
  'Requests and sessions:': by(
    signIn('that fails without a word of the door’s says so in the page’s, and after 30 s without an answer'),
    transport('gives up after %s'),
  ),
  'Default request timeout 30 s; 10 min for the long-running client.': by(
    signIn('that fails without a word of the door’s says so in the page’s, and after 30 s without an answer'),
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
        'keep their side over a dialog, and leave a drawer free',
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
      'sizes the headings of %s alike, on a desk and a phone',
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
};
