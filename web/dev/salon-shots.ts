import type { Page } from '@playwright/test';
import { paths } from '../src/paths';
import { id, WILLOW } from './fixtures';
import type { Shot } from './shot';

export const owner = 'owner@demo.test';
export const narrow = ['desktop-light', 'phone-light'];

export const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).locator('visible=true').first().click();

async function booking(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New booking', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New booking' });
  await dialog.getByLabel('Service', { exact: true }).selectOption({ label: 'Cut & finish' });
  await dialog
    .getByRole('button', { name: / with / })
    .first()
    .waitFor();
}

export const menuItem = (menu: string | RegExp, item: string) => async (page: Page) => {
  await press(menu)(page);
  await page.getByRole('menuitem', { name: item }).click();
};

const more = (item: string) => menuItem(/^More for this day/, item);

/** Asks why a taken time of Jin Park is not free. */
async function whyNot(page: Page): Promise<void> {
  await more('Why not?…')(page);
  const dialog = page.getByRole('dialog', { name: 'Why not?' });
  await dialog.getByLabel('Service').selectOption({ label: 'Cut & finish' });
  await dialog.getByLabel('With').selectOption({ label: 'Jin Park' });
  await dialog.getByLabel('Start').fill('11:00');
  await dialog.getByText('This time can’t be booked').waitFor();
}

/** Holds a time for a booking, then continues. */
const held = (then: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await booking(page);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: / with / })
    .first()
    .click();
  await page.getByText('Held for you').waitFor();
  await then(page);
};

/** Saves weekly hours that leave a booked visit outside them. */
async function stranding(page: Page): Promise<void> {
  await press('New week')(page);
  await page.getByLabel('Counts from').fill('2026-12-07');
  await page.getByRole('button', { name: 'Save week' }).click();
  await page.getByRole('button', { name: 'Save anyway' }).waitFor();
}

export const LOOKED_AT = ['desktop-light', 'desktop-dark', 'phone-light'];

const DAY_DIALOGS: [name: string, act: (page: Page) => Promise<unknown>][] = [
  ['block', more('Block time…')],
  ['why-not', whyNot],
  [
    'squeeze',
    async (page) => {
      await whyNot(page);
      await page.getByRole('button', { name: 'Squeeze in…' }).click();
      await page.getByRole('dialog', { name: 'Squeeze in' }).waitFor();
    },
  ],
  [
    'walk-in-chosen',
    async (page) => {
      await page.getByRole('button', { name: 'Walk-in', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Walk-in' });
      await dialog.getByLabel('Service', { exact: true }).selectOption({ label: 'Cut & finish' });
      await dialog.getByText('checked again when you book').waitFor();
    },
  ],
  ['hold-over', held((page) => page.clock.fastForward('05:30'))],
  [
    'series',
    held(async (page) => {
      await page.getByLabel('Repeat').selectOption({ index: 1 });
      await page.getByRole('list', { name: 'Dates' }).waitFor();
    }),
  ],
  [
    'guests',
    async (page) => {
      await booking(page);
      await page.getByRole('button', { name: 'Add a guest' }).click();
      await page.getByRole('group', { name: 'Guest 2' }).getByLabel('Service').selectOption({ index: 2 });
    },
  ],
];

/** The screens that are open all day: the schedule, the inbox, the catalogue. */
export const SALON_SHOTS: Shot[] = [
  { name: 'schedule', path: paths.schedule(WILLOW), as: owner },
  {
    name: 'schedule-week',
    path: `${paths.schedule(WILLOW)}?employee=${id(1, 5)}`,
    as: owner,
    looks: LOOKED_AT,
  },
  { name: 'schedule-month', path: `${paths.schedule(WILLOW)}?view=month`, as: owner },
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
    scenario: { GetDay: 'empty' },
  },
  {
    name: 'schedule-broken',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { GetDay: 'broken' },
  },
  {
    name: 'schedule-loading',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    scenario: { GetDay: 'silent' },
  },
  {
    name: 'schedule-full',
    path: paths.schedule(WILLOW),
    as: owner,
    looks: ['desktop-light', 'desktop-dark', 'phone-light'],
    scenario: {
      ListServices: 'many',
      GetDay: 'many',
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
    act: (page) => page.getByRole('button', { name: 'New booking', exact: true }).click(),
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
  ...DAY_DIALOGS.map(
    ([name, act]): Shot => ({
      name: `day-${name}-dialog`,
      path: paths.schedule(WILLOW),
      as: owner,
      looks: LOOKED_AT,
      act,
    }),
  ),
  {
    name: 'day-optimise',
    path: `${paths.schedule(WILLOW)}?panel=optimise`,
    as: owner,
    looks: narrow,
  },
  {
    name: 'day-optimised-focus',
    path: `${paths.schedule(WILLOW)}?panel=optimise`,
    as: owner,
    scenario: { ListProposals: 'many' },
    looks: LOOKED_AT,
    act: async (page) => {
      await page.getByRole('button', { name: 'Look for a better day' }).click();
      await page.getByText('How it was weighed').waitFor();
    },
  },
  {
    name: 'sick-proposal-dialog',
    path: paths.inbox(WILLOW),
    as: owner,
    looks: LOOKED_AT,
    act: async (page) => {
      await press('Absence or closure')(page);
      await page.getByLabel('Employee').selectOption({ label: 'Sofia Marchetti' });
      await page.getByRole('button', { name: 'Report' }).click();
      await page.getByRole('dialog', { name: 'Sofia Marchetti is away' }).waitFor();
    },
  },
  {
    name: 'schedule-employee',
    path: paths.schedule(WILLOW),
    as: 'employee@demo.test',
    looks: narrow,
  },
  { name: 'home-employee', path: paths.business(WILLOW), as: 'employee@demo.test', looks: narrow },
  { name: 'services-employee', path: paths.services(WILLOW), as: 'employee@demo.test', looks: narrow },
  { name: 'schedule-guest', path: paths.schedule(WILLOW), as: 'guest@demo.test', looks: narrow },
  {
    name: 'inbox',
    path: paths.inbox(WILLOW),
    as: owner,
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
  { name: 'team', path: paths.team(WILLOW), as: owner },
  {
    name: 'team-empty',
    path: paths.team(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { GetDay: 'empty', ListTimeOff: 'empty' },
  },
  {
    name: 'team-broken',
    path: paths.team(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { GetDay: 'broken', ListTimeOff: 'broken' },
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
    scenario: { ListStrandedAppointments: 'broken', ListTimeOff: 'broken' },
  },
  {
    name: 'employee-week-dialog',
    path: paths.teamMember(WILLOW, id(1, 7)),
    as: owner,
    looks: ['desktop-light', 'desktop-dark', 'phone-light'],
    act: press('New week'),
  },
  {
    name: 'employee-stranding-dialog',
    path: paths.teamMember(WILLOW, id(1, 9)),
    as: owner,
    looks: LOOKED_AT,
    act: stranding,
  },
  ...(['Approve', 'Decline'] as const).map(
    (word): Shot => ({
      name: `team-${word.toLowerCase()}-dialog`,
      path: paths.team(WILLOW),
      as: owner,
      looks: narrow,
      act: press(new RegExp(`^${word}`)),
    }),
  ),
  { name: 'components', path: paths.components },
  {
    name: 'call-bar-folded',
    path: paths.waitlist(WILLOW),
    as: owner,
    looks: ['desktop-dark', 'phone-light'],
    act: (page) => page.getByRole('button', { name: 'Fold the calls' }).click(),
  },
];
