import type { Page } from '@playwright/test';
import { BusinessService } from '../src/gen/frontdesk/tenancy/v1/business_pb';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const DETAILS = `/${WILLOW}/details`;

test.describe('the details of a business', () => {
  test('are changed by its owner, who is told of another change in between', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto(DETAILS);
    await heading(page, 'Details').waitFor();
    const website = page.getByLabel('Website (optional)');
    await website.fill('not a website');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('must be a web address such as https://willow.example').waitFor();
    await website.fill('willow.example');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('The details of Willow & Co are saved.').waitFor();
    await expect(website).toHaveValue('https://willow.example');

    const rest = await RestClient.as(people.owner);
    const { business } = await rest.call(BusinessService.method.getBusiness, { businessId: WILLOW });
    if (!business) throw new Error('There is no such business.');
    const { name, address, phone, email, currency, brandColor } = business;
    const other = {
      name,
      address,
      phone,
      email,
      currency,
      brandColor,
      website: 'https://willow.example/new',
    };
    await rest.call(BusinessService.method.updateBusiness, { businessId: WILLOW, ...other });
    await page.getByLabel('E-mail (optional)').fill('hello@willow.example');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('This was changed in the meantime.').waitFor();
    await page.getByRole('button', { name: 'Start from how it is now' }).click();
    await expect(website).toHaveValue('https://willow.example/new');
    await page.getByText('Its own', { exact: true }).click();
    await page.getByLabel('Brand colour').fill('#5b2a86');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('The details of Willow & Co are saved.').last().waitFor();
    await rest.call(BusinessService.method.updateBusiness, { businessId: WILLOW, ...other, website: '' });
  });

  for (const [email, tabs] of [
    [people.manager, ['Business', 'Team', 'Hours', 'Agent', 'Integrations']],
    [people.guest, ['Business', 'Hours']],
  ] as const) {
    test(`are read by ${email}, who cannot change them`, async () => {
      const page = await freshPage({ as: email });
      await page.goto(DETAILS);
      await inside(page);
      await page.getByText('Only owners can change these details.').waitFor();
      expect(await page.getByRole('button', { name: 'Save details' }).count()).toBe(0);
      const parts = page.getByRole('navigation', { name: 'Parts of the details' });
      expect(await parts.getByRole('link').allTextContents()).toEqual(tabs);
    });
  }

  test('show which visits a closure would leave outside the hours before it is saved', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto(`${DETAILS}?tab=hours`);
    const visits = await busyDay(page);
    await page.getByRole('button', { name: 'Add closure or hours' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('First day').fill(visits);
    await dialog.getByLabel('Name (optional)').fill('Stocktaking');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText(/would be outside these hours\. Nothing is saved yet/).waitFor();
    await dialog
      .getByRole('list', { name: 'Visits outside these hours' })
      .getByRole('listitem')
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByText('Stocktaking').count()).toBe(0);
  });

  test('keep a closure, which can be removed and brought back', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto(`${DETAILS}?tab=hours`);
    await page.getByRole('button', { name: 'Add closure or hours' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Say on which day it begins.').waitFor();
    const day = `${new Date().getFullYear() + 1}-12-25`;
    await dialog.getByLabel('First day').fill(day);
    await dialog.getByLabel('Name (optional)').fill('Christmas');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const closures = page.getByRole('list', { name: 'Closures and special hours' });
    await closures.getByText('Christmas').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText(/follows the weekly hours again\.$/).waitFor();
    await closures.getByText('Christmas').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add closure or hours' }).click();
    await dialog.getByLabel('First day').fill(day);
    await dialog.getByLabel('Name (optional)').fill('Christmas');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await closures.getByText('Christmas').waitFor();
    await closures.getByRole('button', { name: /^Remove Christmas/ }).click();
    await page
      .getByText(/follows the weekly hours again/)
      .last()
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await closures.getByText('Christmas').waitFor();
    await closures.getByRole('button', { name: /^Remove Christmas/ }).click();
    await page.getByText('Open every week as usual').waitFor();
  });

  test('have the booking rules, which are saved', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto(`${DETAILS}?tab=hours`);
    const field = page.getByLabel('Customers cancel at the latest');
    const before = await field.inputValue();
    await field.selectOption({ label: '7 days before' });
    await page.getByRole('button', { name: 'Save rules' }).click();
    // A week of the salon is never empty.
    await page.getByRole('group', { name: 'Visits that customers could not cancel any more' }).waitFor();
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText('The booking rules are saved.').waitFor();
    await page.reload();
    await expect(field).toHaveValue('10080');
    await field.selectOption(before);
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('The booking rules are saved.').waitFor();
  });

  test('say what the agent does and where the platform delivers', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto(`${DETAILS}?tab=agent`);
    await heading(page, 'In a call, the agent').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Integrations' }).last().click();
    await page.waitForURL(/tab=integrations/);
    const webhook = page.getByLabel('Webhook address of Front desk line', { exact: true });
    expect(await webhook.inputValue()).toMatch(/\/api\/webhooks\/voice\/retell\//);
  });
});

/** A day in the coming fortnight on which visits are booked. */
async function busyDay(page: Page): Promise<string> {
  const { AppointmentService } = await import('../src/gen/frontdesk/scheduling/v1/appointment_service_pb');
  const rest = await RestClient.as(people.manager);
  const { appointments } = await rest.call(AppointmentService.method.listAppointments, {
    businessId: WILLOW,
    pageSize: 200,
  });
  const now = await page.evaluate(() => Date.now());
  const ahead = appointments
    .map(({ startsAt }) => new Date(Number(startsAt?.seconds ?? 0) * 1000))
    .filter((start) => start.getTime() > now + 2 * 86_400_000);
  const day = ahead[0];
  if (!day) throw new Error('No visit is booked after tomorrow.');
  return day.toISOString().slice(0, 10);
}
