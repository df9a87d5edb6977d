import { CustomerNoteService } from '../src/gen/frontdesk/tenancy/v1/customer_note_pb';
import { type Customer, CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { barriers } from './barriers';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { bookedAt, cancelled, clockOf, firstOffer, serviceNamed, startOf } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

let client: RestClient;
const booked: string[] = [];

const unique = () => String(10_000_000 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 90_000_000));

async function customer(name: string, phone: string, note: string): Promise<Customer> {
  const made = await client.call(CustomerService.method.createCustomer, { businessId: WILLOW, name, phone });
  if (!made.customer) throw new Error('A customer is returned.');
  const about = { businessId: WILLOW, customerId: made.customer.id, text: note };
  await client.call(CustomerNoteService.method.createCustomerNote, about);
  return made.customer;
}

test.beforeAll(async () => {
  client = await RestClient.as(people.manager);
});

test.afterAll(async () => {
  for (const appointmentId of booked) await cancelled(client, appointmentId).catch(() => undefined);
});

test('two records of one customer become one, and two again', async () => {
  const last = unique();
  const ana = await customer(`Ana Twin ${last}`, '', 'Likes tea');
  const twin = await customer(`A. Twin ${last}`, `07${last}5`, 'Allergic to nuts');
  const { id: serviceId } = await serviceNamed(client, 'Blow dry');
  const start = startOf(await firstOffer(client, [{ serviceId }], 26));
  booked.push(await bookedAt(client, [{ serviceId }], start, twin.id));

  const page = await freshPage({ as: people.manager });
  await page.goto(`/${WILLOW}/customers/${ana.id}`);
  await inside(page);
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Merge ${ana.name} with another customer` });
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(twin.name);
  await page.getByRole('option', { name: new RegExp(`^${twin.name.replace('.', '\\.')}`) }).click();
  const after = dialog.getByRole('region', { name: 'After the merge' });
  await after.getByText(ana.name).waitFor();
  await after.getByText(last.slice(-3)).first().waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: `Keep ${twin.name} instead` }).click();
  await after.getByText(twin.name).waitFor();
  await dialog.getByRole('button', { name: `Keep ${ana.name} instead` }).click();
  await after.getByText(ana.name).waitFor();
  await dialog.getByRole('button', { name: `Merge into ${ana.name}` }).click();
  await page.getByText(`Merged ${twin.name} into ${ana.name}.`).waitFor();

  const notes = page.getByRole('list', { name: 'Notes', exact: true });
  await notes.getByText('Allergic to nuts').waitFor();
  await notes.getByText('Likes tea').waitFor();
  await page.locator(`a[href="tel:${twin.phone}"]`).waitFor();
  const toCome = page.getByRole('list', { name: 'Upcoming' }).getByRole('listitem');
  await toCome.filter({ hasText: clockOf(start) }).waitFor();

  // The address of the merged record leads to the one that stays.
  const other = await freshPage({ as: people.manager });
  await other.goto(`/${WILLOW}/customers/${twin.id}`);
  await other.waitForURL(`**/customers/${ana.id}`);
  await heading(other, ana.name).waitFor();

  await page.getByRole('button', { name: 'Undo merge' }).click();
  await page.getByText(`${twin.name} is a customer of their own again.`).waitFor();
  await notes.getByText('Allergic to nuts').waitFor({ state: 'detached' });
  await toCome.filter({ hasText: clockOf(start) }).waitFor({ state: 'detached' });
  await page.goto(`/${WILLOW}/customers/${twin.id}`);
  await heading(page, twin.name).waitFor();
  await toCome.filter({ hasText: clockOf(start) }).waitFor();
  await notes.getByText('Allergic to nuts').waitFor();
});

test('an employee does not merge', async () => {
  const alone = await customer(`Solo ${unique()}`, '', 'Likes tea');
  const page = await freshPage({ as: people.employee });
  await page.goto(`/${WILLOW}/customers/${alone.id}`);
  await heading(page, alone.name).waitFor();
  await page.getByRole('button', { name: 'Edit customer' }).waitFor();
  expect(await page.getByRole('button', { name: 'Merge', exact: true }).count()).toBe(0);
});
