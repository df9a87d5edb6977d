import { WaitlistService } from '../src/gen/frontdesk/scheduling/v1/waitlist_pb';
import { CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { minutesText } from '../src/time/zoned';
import { freshPage, heading, inside } from './browser';
import { followed } from './live';
import { RestClient } from './rest';
import { cancelled, dayOf, firstOffer, serviceNamed, startOf } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const QUIET_DAYS = 24;

let client: RestClient;
test.beforeAll(async () => {
  client = await RestClient.as(people.employee);
});

/** A customer that no other test uses. */
async function newCustomer(): Promise<{ id: string; name: string }> {
  const name = `Wanda Wait ${Date.now() % 1_000_000}`;
  const { customer } = await client.call(CustomerService.method.createCustomer, { businessId: WILLOW, name });
  return { id: customer?.id ?? '', name };
}

test.describe('the waitlist', () => {
  test('adds a customer, shows a time that suits them, and books it', async () => {
    const service = await serviceNamed(client, 'Blow dry');
    const day = dayOf(startOf(await firstOffer(client, [{ serviceId: service.id }], QUIET_DAYS)));
    const { name } = await newCustomer();
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/waitlist`);
    await inside(page);
    await page.getByRole('button', { name: 'Add to waitlist' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to the waitlist' });
    await dialog.getByRole('button', { name: 'Add to the list' }).click();
    await dialog.getByRole('alert').getByText('Choose a customer').waitFor();
    await dialog.getByRole('combobox', { name: 'Customer' }).fill(name);
    await dialog.getByRole('option', { name: new RegExp(`^${name}`) }).click();
    await dialog.getByLabel('Service', { exact: true }).selectOption({ label: service.name });
    const usual = service.segments.reduce((sum, { minutes }) => sum + minutes, 0);
    const length = dialog.getByLabel('Length', { exact: true });
    await length.selectOption({ label: minutesText(usual + 15) });
    await dialog.getByLabel('First day').fill(day);
    await dialog.getByLabel('Last day').fill(day);
    await dialog.getByLabel('From (optional)').fill('10:00');
    await dialog.getByLabel('Note (optional)').fill('Only if it is quiet.');
    await dialog.getByRole('button', { name: 'Add to the list' }).click();
    await dialog.waitFor({ state: 'detached' });
    const said = `${name} is on the waitlist: ${service.name} (15 min longer), `;
    await page.getByText(new RegExp(`^${said.replaceAll(/[()]/g, '\\$&')}.*, 10:00 – `)).waitFor();
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await row.getByText('“Only if it is quiet.”').waitFor();
    await row.getByText(`${service.name} (15 min longer)`).waitFor();
    const booking = row.getByRole('button', { name: /^Book .+ with / });
    await booking.click();
    await row.waitFor({ state: 'detached' });
    await page.getByText(new RegExp(`^${name} is booked: .+, \\d+:\\d\\d with .+\\.$`)).waitFor();
    // A wrong click: the customer has their place again.
    await page.keyboard.press('Control+z');
    await page.getByText(`${name} waits again. The time is free.`).waitFor();
    await page.reload();
    await inside(page);
    await booking.click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await heading(page, name).waitFor();
    await cancelled(client, new URL(page.url()).pathname.split('/').at(-1) ?? '');
  });

  test('fails with a way to try again', async () => {
    const page = await freshPage({ as: people.employee });
    // The socket would read again what it fell behind of.
    await page.routeWebSocket('**/ws', () => undefined);
    let broken = true;
    await page.route(/\/waitlist\?/, (route) =>
      broken
        ? route.fulfill({ status: 400, json: { code: 3, message: 'The list is being counted.' } })
        : route.continue(),
    );
    await page.goto(`/${WILLOW}/waitlist`);
    await page.getByText('The list is being counted.').waitFor();
    // The count in the shell reads the same list, later: it must not succeed before the button is pressed.
    await page.waitForLoadState('networkidle');
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The waitlist can’t be shown').waitFor({ state: 'detached' });
  });

  test('shows new entries by itself, and removes them', async () => {
    const page = await freshPage({ as: people.employee });
    const live = followed(page);
    await page.goto(`/${WILLOW}/waitlist`);
    await inside(page);
    await live;
    const service = await serviceNamed(client, 'Beard trim');
    const day = dayOf(startOf(await firstOffer(client, [{ serviceId: service.id }], QUIET_DAYS)));
    const { id, name } = await newCustomer();
    await client.call(WaitlistService.method.joinWaitlist, {
      businessId: WILLOW,
      customerId: id,
      items: [{ serviceId: service.id }],
      firstDate: day,
      lastDate: day,
    });
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await row.waitFor();
    await row.getByRole('button', { name: 'Take off' }).click();
    const dialog = page.getByRole('dialog', { name: `Take ${name} off the list?` });
    await dialog.getByRole('button', { name: 'Take off the list' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText(new RegExp(`^${name} no longer waits for Beard trim, `)).waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText(`${name} waits again, in the same place.`).waitFor();
    await row.getByRole('button', { name: 'Take off' }).click();
    await dialog.getByRole('button', { name: 'Take off the list' }).click();
    await row.waitFor({ state: 'detached' });
    await until(async () => {
      const { waiting } = await client.call(WaitlistService.method.listWaitlist, {
        businessId: WILLOW,
        pageSize: 50,
      });
      expect(waiting.some(({ entry }) => entry?.customerId === id)).toBe(false);
    });
  });
});
