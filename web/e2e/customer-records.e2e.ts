import { type Customer, CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { barriers } from './barriers';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

let client: RestClient;

async function customer(): Promise<Customer> {
  const name = `Rita Records ${crypto.randomUUID().slice(0, 6)}`;
  const made = await client.call(CustomerService.method.createCustomer, { businessId: WILLOW, name });
  if (!made.customer) throw new Error('A customer is returned.');
  return made.customer;
}

async function profile(of: { id: string; name: string }) {
  const page = await freshPage({ as: people.employee });
  await page.goto(`/${WILLOW}/customers/${of.id}`);
  await inside(page);
  await heading(page, of.name).waitFor();
  return page;
}

test.beforeAll(async () => {
  client = await RestClient.as(people.manager);
});

test.describe('a customer’s profile', () => {
  test('shows no figure before there is one, and then what each counts', async () => {
    const page = await profile(await customer());
    await page.getByText('No past visit yet.').waitFor();
    await page
      .getByText('No calls yet. A call appears here when the agent recognises the customer.')
      .waitFor();

    // Nothing can be booked in the past: the figures of someone who has come before.
    const known = await freshPage({ as: people.manager });
    await known.route('**/customers/*/figures', (route) =>
      route.fulfill({
        json: {
          visitCount: 7,
          firstVisitAt: '2026-02-03T10:00:00Z',
          lastVisitAt: '2026-11-03T10:00:00Z',
          usualServices: [{ serviceId: WILLOW, serviceName: 'Blow dry', visitCount: 5 }],
          spends: [{ currency: 'GBP', priceMinor: '31500' }],
          timeZone: 'Europe/London',
        },
      }),
    );
    const { id, name } = await customer();
    await known.goto(`/${WILLOW}/customers/${id}`);
    await heading(known, name).waitFor();
    await known.getByText('Counts visits that are over, without cancelled ones and no-shows.').waitFor();
    await known.getByRole('list', { name: 'Usual services' }).getByRole('listitem').first().waitFor();
    await known.getByText('Value at list prices').waitFor();
  });

  test('keeps patch tests, with whether they still count', async () => {
    const page = await profile(await customer());
    await page.getByText('No patch test on record.').waitFor();
    await page.getByRole('button', { name: 'Add patch test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add patch test' });
    await dialog.getByRole('button', { name: 'Add patch test' }).click();
    await dialog.getByText('Enter the service or the product.').waitFor();
    await dialog.getByLabel('Service or product').fill('Full colour');
    await dialog.getByLabel('Tested on').fill('2025-01-10');
    await dialog.getByLabel('Valid until').fill('2025-01-09');
    await dialog.getByRole('button', { name: 'Add patch test' }).click();
    await dialog.getByText('This is before the test.').waitFor();
    await dialog.getByLabel('Valid until').fill('2025-07-10');
    await dialog.getByRole('button', { name: 'Add patch test' }).click();
    await dialog.waitFor({ state: 'detached' });
    const test = page.getByRole('list', { name: 'Patch tests' }).getByRole('listitem');
    await test.getByText('Full colour').waitFor();
    await test.getByText('No longer valid').waitFor();
    await test.getByText('Mia Larsen').waitFor();
    expect(await barriers(page)).toEqual([]);
    await test.getByRole('button', { name: 'Delete patch test of Full colour' }).click();
    await page.getByRole('button', { name: 'Delete patch test', exact: true }).click();
    await page.getByText('No patch test on record.').waitFor();
  });

  test('keeps formulas, the newest first, by whom and when', async () => {
    const page = await profile(await customer());
    for (const [text, day] of [
      ['6/0 + 6/7, 20 vol, 35 min', '2026-03-01'],
      ['5/0, 10 vol', '2025-12-01'],
    ] as const) {
      await page.getByRole('button', { name: 'Add formula' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add formula' });
      await dialog.getByLabel('What was mixed').fill(text);
      await dialog.getByLabel('Mixed on').fill(day);
      await dialog.getByRole('button', { name: 'Add formula' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    const formulas = page.getByRole('list', { name: 'Formulas' }).getByRole('listitem');
    await formulas.nth(1).waitFor();
    expect(await formulas.first().textContent()).toContain('6/0 + 6/7');
    await formulas.first().getByText('Mixed 1 Mar 2026 by Mia Larsen').waitFor();
    await formulas.first().getByRole('button', { name: 'Delete formula of 1 Mar 2026' }).click();
    await page.getByRole('button', { name: 'Delete formula', exact: true }).click();
    await expect(formulas).toHaveCount(1);
  });

  test('keeps every answer about advertising', async () => {
    const page = await profile(await customer());
    await page.getByRole('button', { name: 'Record agreement' }).click();
    const answers = page.getByRole('list', { name: 'Answers so far' }).getByRole('listitem');
    await answers.getByText('Agreed').waitFor();
    await page.getByRole('button', { name: 'Record withdrawal' }).click();
    await expect(answers).toHaveCount(2);
    expect(await answers.first().textContent()).toContain('Refused or withdrew');
    expect(await answers.first().textContent()).toContain('Mia Larsen');
  });
});
