// Checks which folders of `src` import which. A folder imports only folders above its own line, so there are no cycles.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What no product noun owns, and the folders each part imports. */
const SHARED = {
  gen: [],
  time: [],
  ui: [],
  finding: [],
  day: ['gen', 'time', 'ui'],
  http: ['gen'],
  session: ['time', 'ui', 'http'],
  api: ['gen', 'time', 'http', 'session'],
  live: ['gen', 'time', 'session', 'api'],
  reports: ['http', 'session'],
  layout: ['gen', 'time', 'ui', 'http', 'session', 'api', 'live'],
  business: ['gen', 'time', 'ui', 'finding', 'day', 'http', 'session', 'api', 'layout'],
};

/** Product nouns: each imports all that is shared, and of the nouns in `from` the modules that these `offer`. */
const NOUNS = {
  about: {},
  imports: { offers: ['import-flow', 'import-page'] },
  demo: {},
  calendars: {
    offers: [
      'calendars-card',
      'cleanup',
      'cleanup-progress',
      'connect-card',
      'queries',
      'read-only-note',
      'state',
      'wording',
    ],
  },
  providers: { offers: ['unmapped'], from: ['calendars'] },
  'dev-panels': {},
  members: { offers: ['invitation-list', 'invite-dialog', 'queries'], from: ['calendars'] },
  sync: { from: ['calendars', 'members'] },
  items: { from: ['imports'] },
  'employee-management': { from: ['calendars', 'imports'] },
  'my-businesses': {},
  proposals: {
    offers: [
      'absence-dialog',
      'delay-dialog',
      'proposal-dialog',
      'proposal-view',
      'queries',
      'strands-dialog',
      'wording',
    ],
  },
  services: { offers: ['catalogue-tabs', 'leaving', 'offered-services', 'queries', 'use-services'] },
  showcase: {},
  'sign-in': { offers: ['google-button', 'login-form', 'new-password'] },
  onboarding: { from: ['calendars', 'sign-in'] },
  account: { from: ['sign-in'] },
  registration: { from: ['sign-in'] },
  dependencies: { from: ['services'] },
  intelligence: {
    from: ['services'],
    offers: ['bars', 'csv', 'filters', 'headlines', 'save-file', 'wish', 'wording'],
  },
  pairings: { from: ['services'] },
  'schedule-check': { from: ['services'], offers: ['rules'] },
  series: {
    offers: [
      'move-series-dialog',
      'queries',
      'scope-choice',
      'scopes',
      'series-scope-dialog',
      'use-series-change',
    ],
  },
  appointments: {
    from: ['proposals', 'series'],
    offers: [
      'cancel-dialog',
      'cancellation-text',
      'contact-words',
      'contacts',
      'conflicts',
      'customer-visits',
      'item-length',
      'next-appointments',
      'queries',
      'reference',
      'state',
      'stranded-note',
      'stranded-words',
      'stylist-wish',
      'told-dialog',
      'use-no-answer',
    ],
  },
  customers: {
    from: ['appointments', 'imports'],
    offers: ['customer-picker', 'erasure-text', 'find', 'pinned-notes', 'queries'],
  },
  'follow-ups': {
    from: ['customers'],
    offers: ['due', 'due-and-owner', 'follow-up-dialog', 'follow-up-row', 'queries', 'use-completing'],
  },
  booking: {
    from: ['appointments', 'customers', 'series'],
    offers: [
      'booked',
      'booking-dialog',
      'change-dialog',
      'draft',
      'move-dialog',
      'offers',
      'other-stylist-dialog',
      'queries',
      'service-options',
      'services-part',
      'use-moving',
      'use-patch-tests',
      'why-refused',
    ],
  },
  calls: {
    from: ['appointments', 'booking', 'customers', 'follow-ups', 'intelligence'],
    offers: [
      'conversation',
      'conversation-lines',
      'filter',
      'queries',
      'recent-calls',
      'timeline',
      'tool-words',
    ],
  },
  insights: { from: ['calls', 'intelligence'] },
  waitlist: {
    from: ['booking', 'customers', 'series'],
    offers: ['queries', 'wait-dialog', 'waiting-row', 'wishes'],
  },
  events: {},
  visit: {
    from: ['appointments', 'booking', 'customers', 'imports', 'proposals', 'series', 'waitlist'],
    offers: ['visit-drawer'],
  },
  inbox: {
    from: [
      'appointments',
      'booking',
      'calendars',
      'customers',
      'follow-ups',
      'proposals',
      'providers',
      'waitlist',
    ],
    offers: ['conflict-rows'],
  },
  schedule: {
    from: [
      'appointments',
      'booking',
      'customers',
      'inbox',
      'proposals',
      'schedule-check',
      'series',
      'visit',
      'waitlist',
    ],
    offers: ['cards/visit-row', 'queries', 'use-schedule'],
  },
  team: {
    from: ['appointments', 'schedule'],
    offers: [
      'booked-then',
      'hours',
      'hours-change',
      'span-fields',
      'stranded',
      'stranded-list',
      'stranded-step',
      'week-editor',
    ],
  },
  details: {
    from: ['calendars', 'members', 'providers', 'schedule', 'services', 'team'],
    offers: [
      'business-fields',
      'business-values',
      'connect-voice-dialog',
      'copy-field',
      'queries',
      'voice-card',
      'webhook',
      'zone-field',
    ],
  },
  agent: { from: ['calls', 'details', 'members'], offers: ['queries'] },
  setup: {
    from: ['agent', 'calls', 'details', 'members', 'services', 'team'],
    offers: ['checklist', 'steps'],
  },
  home: {
    from: ['appointments', 'booking', 'calendars', 'calls', 'schedule', 'services', 'setup'],
  },
  admin: { from: ['setup'] },
  search: { from: ['appointments', 'booking', 'customers'] },
};

/** Files of `src` itself that every folder but `ui` and `time` may import. The others compose, and are imported by none. */
const PLAIN = ['paths.ts', 'runtime.ts'];

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const shared = Object.keys(SHARED);
const order = [...shared, ...Object.keys(NOUNS)];
const problems = [];

for (const [folder, { from = [] }] of [
  ...shared.map((name) => [name, { from: SHARED[name] }]),
  ...Object.entries(NOUNS),
])
  for (const other of from)
    if (order.indexOf(other) >= order.indexOf(folder) || !order.includes(other))
      problems.push(`dev/folders.mjs: ${folder} can import ${other} only if ${other} has a line above it.`);

for (const folder of readdirSync(SRC).filter((name) => statSync(SRC + name).isDirectory()))
  if (!order.includes(folder) && folder !== 'testing')
    problems.push(`src/${folder}: give the folder a line in dev/folders.mjs.`);

for (const file of readdirSync(SRC, { recursive: true })) {
  if (!/\.tsx?$/.test(file)) continue;
  const [folder, ...inside] = file.split('/');
  if (inside.length === 0 || folder === 'gen' || folder === 'testing' || file.includes('.test.')) continue;
  const imports = readFileSync(SRC + file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  for (const [, specifier] of imports) {
    const problem = problemOf(folder, moduleAt(file, specifier));
    if (problem) problems.push(`src/${file} imports ${specifier}: ${problem}`);
  }
}

/** The imported file's path below `src`. */
function moduleAt(file, specifier) {
  const path = resolve(SRC, dirname(file), specifier);
  const found = ['.ts', '.tsx', ''].map((ending) => path + ending).find((name) => existsSync(name));
  return relative(SRC, found ?? path);
}

function problemOf(folder, target) {
  const [other, ...inside] = target.split('/');
  if (other === folder) return undefined;
  if (inside.length === 0) {
    if (PLAIN.includes(other) && !['ui', 'time'].includes(folder)) return undefined;
    return `files of src itself compose the folders. Let router.tsx, root.tsx or workplace.tsx pass in what ${folder} needs.`;
  }
  const noun = NOUNS[folder];
  const below = noun ? [...shared, ...(noun.from ?? [])] : SHARED[folder];
  if (!below?.includes(other))
    return `${folder} must not depend on ${other}. Move what both need to a shared folder, or let router.tsx, root.tsx or workplace.tsx pass it in; dev/folders.mjs says what imports what.`;
  const module = inside.join('/').replace(/\.tsx?$/, '');
  if (!noun || shared.includes(other) || module === 'routes' || NOUNS[other].offers?.includes(module))
    return undefined;
  return `${other} keeps this module to itself. Use one that it offers, or offer this one in dev/folders.mjs.`;
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
