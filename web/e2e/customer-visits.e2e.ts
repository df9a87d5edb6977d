import { CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { bookedAt, cancelled, clockOf, firstOffer, serviceNamed, startOf } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

let client: RestClient;
const booked: string[] = [];

test.beforeAll(async () => {
  client = await RestClient.as(people.employee);
});

test.afterAll(async () => {
  for (const appointmentId of booked) await cancelled(client, appointmentId).catch(() => undefined);
});

test('a customer’s other visits stand beside one of them, and lead to each other', async () => {
  const name = `Zoe Again ${Date.now() % 1_000_000}`;
  const { customer } = await client.call(CustomerService.method.createCustomer, { businessId: WILLOW, name });
  const { id: serviceId } = await serviceNamed(client, 'Blow dry');
  const starts: Date[] = [];
  for (const daysAhead of [22, 29]) {
    const start = startOf(await firstOffer(client, [{ serviceId }], daysAhead));
    starts.push(start);
    booked.push(await bookedAt(client, [{ serviceId }], start, customer?.id));
  }
  const page = await freshPage({ as: people.employee });
  await page.goto(`/${WILLOW}/appointments/${booked[0]}`);
  await inside(page);
  await heading(page, name).waitFor();
  const toCome = page.getByRole('list', { name: 'Upcoming' });
  await toCome.getByRole('link', { name: new RegExp(clockOf(starts[1] ?? new Date())) }).click();
  await page.waitForURL(`**/appointments/${booked[0]}?visit=${booked[1]}`);
  await page.getByRole('dialog', { name }).getByRole('link', { name: 'Open full page' }).click();
  await page.waitForURL(`**/appointments/${booked[1]}`);
  const other = page.getByRole('list', { name: 'Upcoming' }).getByRole('listitem');
  await other.filter({ hasText: clockOf(starts[0] ?? new Date()) }).waitFor();
  expect(await other.count()).toBe(1);
  await page.getByText('None on record.').waitFor();
  await cancelled(client, booked[0] ?? '');
  await page.getByText('None booked.').waitFor();
});
