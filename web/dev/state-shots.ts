import type { Page } from '@playwright/test';
import { paths } from '../src/paths';
import type { Scenario } from './answer';
import { id, WILLOW } from './fixtures';
import type { Shot } from './shot';

const owner = 'owner@demo.test';
const admin = 'admin@demo.test';
const desk = ['desktop-light'];
const deskAndPhone = ['desktop-light', 'phone-light'];

type Mood = 'empty' | 'broken' | 'silent';
type List = { name: string; path: string; reads: string[]; as?: string; moods?: Mood[] };

/** The states of a list that other screenshots lack. */
const LISTS: List[] = [
  { name: 'calls', path: paths.calls(WILLOW), reads: ['ListCalls'] },
  { name: 'call', path: paths.call(WILLOW, id(5, 2)), reads: ['GetCall'], moods: ['broken', 'silent'] },
  {
    name: 'appointment',
    path: paths.appointment(WILLOW, id(3, 3)),
    reads: ['GetAppointment'],
    moods: ['broken', 'silent'],
  },
  { name: 'services', path: paths.services(WILLOW), reads: ['ListServices'], moods: ['broken', 'silent'] },
  { name: 'resources', path: paths.resources(WILLOW), reads: ['ListResources'] },
  { name: 'rules', path: paths.dependencies(WILLOW), reads: ['ListDependencies'], moods: ['silent'] },
  {
    name: 'pairings',
    path: paths.pairings(WILLOW),
    reads: ['ListPairings', 'ListMeasuredPairings'],
    moods: ['broken', 'silent'],
  },
  {
    name: 'schedule-check',
    path: paths.scheduleCheck(WILLOW),
    reads: ['ListServices'],
    moods: ['broken', 'silent'],
  },
  {
    name: 'intelligence',
    path: paths.intelligence(WILLOW),
    reads: ['GetServiceIntelligence', 'ListUnmatchedPhrases'],
    moods: ['silent'],
  },
  {
    name: 'inbox',
    path: paths.inbox(WILLOW),
    reads: [
      'ListConflicts',
      'ListFollowUps',
      'ListProposals',
      'ListTimeOff',
      'ListWaitlist',
      'ListCalendars',
    ],
    moods: ['silent'],
  },
  { name: 'waitlist', path: paths.waitlist(WILLOW), reads: ['ListWaitlist'], moods: ['silent'] },
  {
    name: 'team',
    path: paths.team(WILLOW),
    reads: ['GetDay', 'ListTimeOff'],
    moods: ['silent'],
  },
  {
    name: 'employee',
    path: paths.teamMember(WILLOW, id(1, 7)),
    reads: ['ListWeeklySchedules', 'ListTimeOff'],
    moods: ['silent'],
  },
  {
    name: 'members',
    path: paths.members(WILLOW),
    reads: ['ListMembers', 'ListInvitations'],
    moods: ['silent'],
  },
  { name: 'my-businesses', path: paths.myBusinesses, reads: ['ListMyMemberships'] },
  { name: 'admin-businesses', path: paths.adminBusinesses, as: admin, reads: ['ListBusinesses'] },
];

const ENDINGS: Record<Mood, string> = { empty: 'empty', broken: 'broken', silent: 'loading' };

const conditions = LISTS.flatMap(
  ({ name, path, reads, as = owner, moods = ['empty', 'broken', 'silent'] }): Shot[] =>
    moods.map((mood) => ({
      name: `${name}-${ENDINGS[mood]}`,
      path,
      as,
      looks: mood === 'silent' ? desk : deskAndPhone,
      scenario: Object.fromEntries(reads.map((read) => [read, mood])) as Scenario,
    })),
);

type Step = [role: 'button' | 'link' | 'menuitem' | 'checkbox', name: string | RegExp];
type Dialog = { name: string; path: string; steps: Step[] };

const DIALOGS: Dialog[] = [
  { name: 'service', path: paths.services(WILLOW), steps: [['button', 'New service']] },
  { name: 'resource', path: paths.resources(WILLOW), steps: [['button', 'New resource']] },
  { name: 'rule', path: paths.dependencies(WILLOW), steps: [['button', 'New rule']] },
  { name: 'pairing', path: paths.pairings(WILLOW), steps: [['button', 'New pairing']] },
  { name: 'follow-up', path: paths.inbox(WILLOW), steps: [['button', 'New follow-up']] },
  { name: 'sick', path: paths.inbox(WILLOW), steps: [['button', 'Absence or closure']] },
  { name: 'assign', path: paths.inbox(WILLOW), steps: [['button', /^Assign/]] },
  { name: 'move', path: paths.inbox(WILLOW), steps: [['button', /^Another time/]] },
  { name: 'waitlist-join', path: paths.waitlist(WILLOW), steps: [['button', 'Add to waitlist']] },
  { name: 'waitlist-leave', path: paths.waitlist(WILLOW), steps: [['button', /^Take off/]] },
  { name: 'time-off', path: paths.team(WILLOW), steps: [['button', 'Add time off']] },
  { name: 'day-hours', path: paths.teamMember(WILLOW, id(1, 7)), steps: [['button', 'Other hours']] },
  { name: 'invite', path: paths.members(WILLOW), steps: [['button', 'Invite member']] },
  { name: 'late', path: paths.appointment(WILLOW, id(3, 3)), steps: [['button', 'Running late']] },
  { name: 'find', path: paths.schedule(WILLOW), steps: [['button', /^Find|^More for this day/]] },
];

async function follow(page: Page, steps: Step[]): Promise<void> {
  for (const [role, name] of steps) {
    await page.getByRole('main').getByRole(role, { name }).locator('visible=true').first().click();
  }
}

/** Each dialog when opened, and after it was submitted empty. */
const dialogs = DIALOGS.flatMap(({ name, path, steps }): Shot[] => [
  {
    name: `open-${name}-dialog`,
    path,
    as: owner,
    looks: ['desktop-light', 'phone-dark'],
    act: (page) => follow(page, steps),
  },
  {
    name: `sent-${name}-dialog`,
    path,
    as: owner,
    looks: ['phone-light'],
    act: async (page) => {
      await follow(page, steps);
      await page.locator('dialog[open], [role=menu]').first().waitFor();
      const send = page.locator('dialog[open] button[type=submit]');
      if ((await send.count()) > 0 && (await send.first().isEnabled())) await send.first().click();
    },
  },
]);

const tab = async (page: Page, times: number) => {
  for (let pressed = 0; pressed < times; pressed++) await page.keyboard.press('Tab');
};

export const STATE_SHOTS: Shot[] = [
  ...conditions,
  ...dialogs,
  {
    name: 'schedule-focus',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: ['desktop-light', 'desktop-dark', 'tablet-light'],
    act: async (page) => {
      await page.getByRole('button', { name: 'Optimise day' }).focus();
      await tab(page, 2);
    },
  },
  {
    name: 'schedule-card-focus',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    act: async (page) => {
      await page
        .getByRole('button', { name: /Priya Nair/ })
        .first()
        .focus();
      await tab(page, 1);
    },
  },
  {
    name: 'schedule-check-answer',
    path: paths.scheduleCheck(WILLOW),
    as: owner,
    looks: deskAndPhone,
    act: async (page) => {
      await page.getByLabel('Service 1').selectOption({ index: 1 });
      await page.getByRole('button', { name: 'Check this time' }).click();
      await page.getByText(/^This time (can’t be booked|is free)/).waitFor();
    },
  },
  {
    name: 'login-empty',
    path: paths.login,
    looks: ['phone-light'],
    act: (page) => page.getByRole('button', { name: 'Sign in' }).click(),
  },
  ...[
    ['admin-team', paths.adminTeam()],
    ['admin-team-chosen', paths.adminTeam(WILLOW)],
    ['admin-scheduling', paths.adminScheduling(WILLOW)],
    ['admin-rules', paths.adminDependencies],
    ['admin-intelligence', paths.adminIntelligence(WILLOW)],
    ['admin-check', `${paths.adminScheduleCheck}?business=${WILLOW}`],
  ].map(([name = '', path = '']): Shot => ({ name, path, as: admin, looks: deskAndPhone })),
  {
    name: 'crash',
    path: paths.calls(WILLOW),
    as: owner,
    looks: deskAndPhone,
    // Its code fails to load.
    act: async (page) => {
      await page.route('**/assets/waitlist-page*', (route) => route.abort());
      await page.goto(paths.waitlist(WILLOW));
      await page.getByText('Something went wrong.').waitFor();
    },
  },
  { name: 'privacy', path: paths.privacy, looks: ['desktop-light', 'phone-dark'] },
  { name: 'onboarding', path: paths.onboarding, as: owner, looks: ['desktop-light', 'phone-dark'] },
];
