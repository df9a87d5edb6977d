import type { Page } from '@playwright/test';
import { paths } from '../src/paths';
import { id, WILLOW } from './fixtures';
import { LOOKED_AT, owner, press } from './salon-shots';
import type { Shot } from './shot';
import { CANCELLED_VISIT, SERIES_VISIT } from './visit-answers';

const EVERYWHERE = [
  'desktop-light',
  'desktop-dark',
  'narrow-light',
  'low-light',
  'phone-light',
  'phone-dark',
];

const day = { path: paths.schedule(WILLOW), as: owner };

/** Opens a visit that is still ahead, and one of the things that can be done with it. */
const doing = (button: string, then: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await press(/Hannah Weiss/)(page);
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
  await then(page);
};

const changing = (then: (page: Page) => Promise<unknown> = async () => undefined) =>
  doing('Services, notes…', async (page) => {
    await page.getByRole('dialog', { name: 'Change the visit' }).getByLabel('Service').first().waitFor();
    await then(page);
  });

async function withService(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a service' }).click();
  await page.getByLabel('Service 2', { exact: true }).selectOption({ label: 'Cut & finish' });
  await page.getByRole('heading', { name: /^Free / }).waitFor();
}

const seriesVisit = { path: paths.appointment(WILLOW, SERIES_VISIT), as: owner };

/** Moves a visit of a series by its form, as far as the question which visits are meant. */
async function moving(page: Page): Promise<void> {
  await press('Exact time…')(page);
  const form = page.getByRole('form', { name: 'Move' });
  await form.getByLabel('Time').fill('16:45');
  await form.getByRole('button', { name: 'Move' }).click();
  await page.getByRole('dialog', { name: 'Change the series?' }).getByRole('radio').nth(2).waitFor();
}

const importing = paths.itemImport(WILLOW);

/** A visit and what is done with it at the desk, in each of its states. */
export const DESK_SHOTS: Shot[] = [
  { name: 'visit-panel-dialog', ...day, looks: EVERYWHERE, act: press(/Hannah Weiss/) },
  { name: 'visit-change-dialog', ...day, looks: EVERYWHERE, act: changing() },
  { name: 'visit-change-service-dialog', ...day, looks: EVERYWHERE, act: changing(withService) },
  {
    name: 'visit-move-dialog',
    ...day,
    looks: LOOKED_AT,
    act: doing('Move…', (page) => page.getByRole('list', { name: 'Free times' }).waitFor()),
  },
  {
    name: 'visit-wait-dialog',
    ...day,
    looks: LOOKED_AT,
    act: doing('To the waitlist…', (page) =>
      page.getByRole('dialog', { name: 'Put on the waitlist' }).waitFor(),
    ),
  },
  {
    name: 'booking-patch-test-dialog',
    ...day,
    looks: EVERYWHERE,
    act: async (page) => {
      await page.getByRole('button', { name: 'New booking', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'New booking' });
      await dialog.getByLabel('Service', { exact: true }).selectOption({ label: 'Full colour' });
      await dialog.getByRole('list', { name: 'Free times' }).getByRole('button').first().click();
      await dialog.getByRole('list', { name: 'Patch tests' }).waitFor();
    },
  },
  { name: 'visit-series', ...seriesVisit, looks: EVERYWHERE },
  { name: 'visit-series-dialog', ...seriesVisit, looks: EVERYWHERE, act: moving },
  {
    name: 'visit-series-cancel-dialog',
    ...seriesVisit,
    looks: EVERYWHERE,
    act: async (page) => {
      await press('Cancel appointment')(page);
      await page.getByRole('dialog').getByRole('radio').nth(2).waitFor();
    },
  },
  {
    name: 'visit-cancelled',
    path: paths.appointment(WILLOW, CANCELLED_VISIT),
    as: owner,
    looks: EVERYWHERE,
  },
  {
    name: 'visit-cancelled-dialog',
    path: `${paths.schedule(WILLOW)}?visit=${CANCELLED_VISIT}`,
    as: owner,
    looks: EVERYWHERE,
  },
  {
    name: 'search-dialog',
    ...day,
    looks: EVERYWHERE,
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('ha');
      await page.getByRole('option').nth(2).waitFor();
    },
  },
  { name: 'items-import', path: importing, as: owner, looks: EVERYWHERE },
  { name: 'items-import-checked', path: `${importing}?import=${id(37, 1)}`, as: owner, looks: EVERYWHERE },
  {
    name: 'walk-in-none-dialog',
    ...day,
    looks: EVERYWHERE,
    act: async (page) => {
      const candidates = [{ employeeName: 'Maya Okafor', obstacles: [{ kind: 'BOOKED' }] }];
      await page.route('**/availability:explain', (route) =>
        route.fulfill({ json: { items: [{ serviceName: 'Full colour', candidates }] } }),
      );
      await page.getByRole('button', { name: 'Walk-in', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Walk-in' });
      await dialog.getByLabel('Service', { exact: true }).selectOption({ label: 'Full colour' });
      await dialog.getByRole('button', { name: 'Other times…' }).waitFor();
    },
  },
];
