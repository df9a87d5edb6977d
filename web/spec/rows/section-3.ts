import {
  addresses,
  cacheStats,
  doorSession,
  edge,
  items,
  provider,
  requests,
  session,
  signIn,
} from './files';
import { by, departing, elsewhere, type Shown } from './shown';
import { namesThePerson, panelAnswer } from './tests';

export const section3: Record<string, Shown> = {
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
};
