import type { Page } from 'playwright-core';
import { paths } from '../src/paths';
import { id, WILLOW } from './fixtures';
import type { Shot } from './shots';

const owner = 'owner@demo.test';
const narrow = ['desktop-light', 'phone-light'];

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).locator('visible=true').first().click();

async function booking(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New booking' }).click();
  const dialog = page.getByRole('dialog', { name: 'New booking' });
  await dialog.getByLabel('Service', { exact: true }).selectOption({ label: 'Cut & finish' });
  await dialog
    .getByRole('button', { name: / with / })
    .first()
    .waitFor();
}

/** What a salon looks at all day: its schedule, what needs somebody, its catalogue. */
export const SALON_SHOTS: Shot[] = [
  { name: 'schedule', path: paths.schedule(WILLOW), as: owner },
  { name: 'schedule-week', path: `${paths.schedule(WILLOW)}?employee=${id(1, 5)}`, as: owner, looks: narrow },
  {
    name: 'schedule-visit-dialog',
    path: paths.schedule(WILLOW),
    as: owner,
    act: press(/Hannah Weiss/),
  },
  {
    name: 'schedule-empty',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListEmployees: 'empty' },
  },
  {
    name: 'schedule-broken',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListAppointments: 'broken' },
  },
  {
    name: 'schedule-loading',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    scenario: { ListAppointments: 'silent' },
  },
  {
    name: 'schedule-full',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: ['desktop-light', 'desktop-dark', 'phone-light'],
    scenario: {
      ListEmployees: 'many',
      ListServices: 'many',
      ListAppointments: 'many',
      ListStaffSchedules: 'many',
    },
  },
  {
    name: 'schedule-stranded',
    path: `${paths.schedule(WILLOW)}?panel=stranded`,
    as: owner,
    looks: ['desktop-light', 'desktop-dark', 'phone-light', 'phone-dark'],
  },
  {
    name: 'menu-schedule',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: ['phone-light', 'phone-dark'],
    act: press(/^More for this day/),
  },
  { name: 'booking-dialog', path: paths.calls(WILLOW), as: owner, act: booking },
  {
    name: 'booking-empty-dialog',
    path: paths.calls(WILLOW),
    as: owner,
    looks: narrow,
    act: (page) => page.getByRole('button', { name: 'New booking' }).click(),
  },
  {
    name: 'booking-held-dialog',
    path: paths.calls(WILLOW),
    as: owner,
    act: async (page) => {
      await booking(page);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: / with / })
        .first()
        .click();
      await page.getByText('Held for you').waitFor();
    },
  },
  {
    name: 'walk-in-dialog',
    path: paths.calls(WILLOW),
    as: owner,
    looks: narrow,
    act: (page) => page.getByRole('button', { name: 'Walk-in' }).click(),
  },
  {
    name: 'inbox',
    path: paths.inbox(WILLOW),
    as: owner,
    act: (page) => page.locator('summary').first().click(),
  },
  {
    name: 'inbox-empty',
    path: paths.inbox(WILLOW),
    as: owner,
    looks: narrow,
    scenario: {
      ListConflicts: 'empty',
      ListTimeOff: 'empty',
      ListWaitlist: 'empty',
      ListProposals: 'empty',
      ListCalendars: 'empty',
    },
  },
  {
    name: 'inbox-broken',
    path: paths.inbox(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListConflicts: 'broken', ListProposals: 'broken', ListCalendars: 'broken' },
  },
  { name: 'waitlist', path: paths.waitlist(WILLOW), as: owner },
  {
    name: 'waitlist-empty',
    path: paths.waitlist(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListWaitlist: 'empty' },
  },
  {
    name: 'waitlist-broken',
    path: paths.waitlist(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    scenario: { ListWaitlist: 'broken' },
  },
  { name: 'service-dialog', path: paths.services(WILLOW), as: owner, act: press('New service') },
  {
    name: 'services-empty',
    path: paths.services(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    scenario: { ListServices: 'empty' },
  },
  { name: 'resources', path: paths.resources(WILLOW), as: owner, looks: narrow },
  { name: 'rules', path: paths.dependencies(WILLOW), as: owner },
  {
    name: 'rules-empty',
    path: paths.dependencies(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListDependencies: 'empty' },
  },
  {
    name: 'rules-broken',
    path: paths.dependencies(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    scenario: { ListDependencies: 'broken' },
  },
  { name: 'pairings', path: paths.pairings(WILLOW), as: owner },
  {
    name: 'pairings-empty',
    path: paths.pairings(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListPairings: 'empty', ListMeasuredPairings: 'empty' },
  },
  { name: 'schedule-check', path: paths.scheduleCheck(WILLOW), as: owner },
  { name: 'team', path: paths.team(WILLOW), as: owner },
  {
    name: 'team-empty',
    path: paths.team(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListEmployees: 'empty', ListTimeOff: 'empty' },
  },
  {
    name: 'team-broken',
    path: paths.team(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListAppointments: 'broken', ListTimeOff: 'broken' },
  },
  { name: 'employee', path: paths.teamMember(WILLOW, id(1, 9)), as: owner },
  {
    name: 'employee-empty',
    path: paths.teamMember(WILLOW, id(1, 11)),
    as: owner,
    looks: narrow,
  },
  {
    name: 'employee-broken',
    path: paths.teamMember(WILLOW, id(1, 7)),
    as: owner,
    looks: narrow,
    scenario: { GetBookingPolicy: 'broken', ListTimeOff: 'broken' },
  },
  {
    name: 'employee-week-dialog',
    path: paths.teamMember(WILLOW, id(1, 7)),
    as: owner,
    looks: ['desktop-light', 'desktop-dark', 'phone-light'],
    act: press('New week'),
  },
  { name: 'intelligence', path: paths.intelligence(WILLOW), as: owner },
  {
    name: 'intelligence-empty',
    path: paths.intelligence(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { GetServiceIntelligence: 'empty', ListUnmatchedPhrases: 'empty' },
  },
  {
    name: 'intelligence-broken',
    path: paths.intelligence(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { GetServiceIntelligence: 'broken', ListUnmatchedPhrases: 'broken' },
  },
  { name: 'components', path: paths.components },
  {
    name: 'call-bar-folded',
    path: paths.waitlist(WILLOW),
    as: owner,
    looks: ['desktop-dark', 'phone-light'],
    act: (page) => page.getByRole('button', { name: 'Fold the calls' }).click(),
  },
];
