import type { Page } from '@playwright/test';
import { CustomerNoteService } from '../src/gen/frontdesk/tenancy/v1/customer_note_pb';
import { type Customer, CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { freshPage, heading, inside } from './browser';
import { followed } from './live';
import { RestClient } from './rest';
import { bookedAt, cancelled, clockOf, firstOffer, serviceNamed, startOf } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

let client: RestClient;
const booked: string[] = [];

/** Letters alone: digits would be searched in numbers. */
const letters = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => String.fromCharCode(97 + (byte % 26))).join(
    '',
  );
const ending = () => String(1000 + ((crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) % 9000));

async function customer(phone = ''): Promise<Customer> {
  const name = `Nora ${letters()}`;
  const made = await client.call(CustomerService.method.createCustomer, { businessId: WILLOW, name, phone });
  if (!made.customer) throw new Error('A customer is returned.');
  return made.customer;
}

const read = async (customerId: string) =>
  (await client.call(CustomerService.method.getCustomer, { businessId: WILLOW, customerId })).customer;

async function customersPage(): Promise<Page> {
  const page = await freshPage({ as: people.manager });
  await page.goto(`/${WILLOW}/customers`);
  await inside(page);
  await page.getByRole('main').getByRole('listitem').first().waitFor();
  return page;
}

async function profile(of: Customer, as: string = people.employee): Promise<Page> {
  const page = await freshPage({ as });
  await page.goto(`/${WILLOW}/customers/${of.id}`);
  await inside(page);
  await heading(page, of.name).waitFor();
  return page;
}

const search = (page: Page) => page.getByLabel('Search customers');
const noted = (page: Page) => page.getByRole('list', { name: 'Notes', exact: true }).getByRole('listitem');

test.beforeAll(async () => {
  client = await RestClient.as(people.manager);
});

test.afterAll(async () => {
  for (const appointmentId of booked) await cancelled(client, appointmentId).catch(() => undefined);
});

test.describe('customers', () => {
  test('are found by the last four digits, changed, and show their visit of a later month', async () => {
    const last = ending();
    const nora = await customer(`0770090${last}`);
    const { id: serviceId } = await serviceNamed(client, 'Blow dry');
    const start = startOf(await firstOffer(client, [{ serviceId }], 40));
    booked.push(await bookedAt(client, [{ serviceId }], start, nora.id));

    const page = await customersPage();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' }).waitFor();
    await search(page).fill(last);
    await page.getByRole('link', { name: nora.name }).click();
    await page.waitForURL(`**/customers/${nora.id}`);
    await heading(page, nora.name).waitFor();
    const toCome = page.getByRole('list', { name: 'Upcoming' }).getByRole('listitem');
    await toCome.filter({ hasText: clockOf(start) }).waitFor();

    await page.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = page.getByRole('dialog', { name: `Edit ${nora.name}` });
    await dialog.getByLabel('Name').fill(`${nora.name} Prior`);
    await dialog.getByLabel('E-mail').fill('nora at example.com');
    await dialog.getByRole('textbox', { name: 'Tags' }).fill('VIP');
    await dialog.getByRole('textbox', { name: 'Tags' }).press('Enter');
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await expect.poll(() => dialog.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('E-mail').fill('nora@example.com');
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await dialog.waitFor({ state: 'detached' });
    await heading(page, `${nora.name} Prior`).waitFor();
    await page.getByRole('list', { name: 'Tags' }).getByText('VIP').waitFor();
    await page.getByRole('link', { name: 'nora@example.com' }).waitFor();
    const saved = await read(nora.id);
    expect([saved?.name, saved?.email, saved?.tags, saved?.version]).toEqual([
      `${nora.name} Prior`,
      'nora@example.com',
      ['VIP'],
      2n,
    ]);

    // The visit leads back to its customer, by the new name.
    await toCome.getByRole('link').click();
    await page.waitForURL(`**/customers/${nora.id}?visit=${booked.at(-1)}`);
    await page
      .getByRole('dialog', { name: `${nora.name} Prior` })
      .getByRole('link', { name: `${nora.name} Prior` })
      .click();
    await page.waitForURL(`**/customers/${nora.id}`);
  });

  test('are reached with the keyboard alone, and the way back keeps the search', async () => {
    const nora = await customer();
    const page = await customersPage();
    await page.keyboard.press('/');
    await expect(search(page)).toBeFocused();
    const typed = nora.name.split(' ')[1] ?? '';
    await page.keyboard.type(typed);
    // Its first letter alone may find a single customer.
    await page.waitForURL((url) => url.searchParams.get('q') === typed);
    await page.getByRole('status').getByText('1 customer found').waitFor();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('link', { name: nora.name })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(search(page)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, nora.name).waitFor();
    await page.goBack();
    await expect(search(page)).toHaveValue(nora.name.split(' ')[1] ?? '');
    await page.getByRole('link', { name: nora.name }).waitFor();
  });

  test('who are not found are added under the name that was searched for', async () => {
    const name = `Zed ${letters()}`;
    const page = await customersPage();
    await search(page).fill(name);
    await page.getByText(`No customer matches “${name}”`).waitFor();
    await page.getByRole('button', { name: `New customer “${name}”` }).click();
    const dialog = page.getByRole('dialog', { name: 'New customer' });
    await expect(dialog.getByLabel('Name')).toHaveValue(name);
    await dialog.getByLabel('Phone').fill('12');
    await dialog.getByRole('button', { name: 'Add customer' }).click();
    await expect.poll(() => dialog.getByLabel('Phone').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Phone').fill('07700 900991');
    await dialog.getByRole('button', { name: 'Add customer' }).click();
    await heading(page, name).waitFor();
    await page.getByRole('link', { name: '+44 7700 900 991' }).waitFor();
    await page.getByText('None booked.').waitFor();
  });

  test('that a colleague changed meanwhile are not overwritten', async () => {
    const nora = await customer();
    const page = await profile(nora);
    await page.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Mine');
    await client.call(CustomerService.method.updateCustomer, {
      businessId: WILLOW,
      customerId: nora.id,
      name: `${nora.name} Theirs`,
      version: nora.version,
    });
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await dialog.getByRole('alert').getByText('changed in the meantime').waitFor();
    expect((await read(nora.id))?.name).toBe(`${nora.name} Theirs`);
    await dialog.getByRole('button', { name: 'Start from how it is now' }).click();
    await expect(dialog.getByLabel('Name')).toHaveValue(`${nora.name} Theirs`);
    await dialog.getByLabel('E-mail').fill('nora@example.com');
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await read(nora.id))?.email).toBe('nora@example.com');
  });

  test('get back what an edit changed', async () => {
    const nora = await customer();
    const page = await profile(nora, people.manager);
    await page.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(`${nora.name} Prior`);
    await dialog.getByLabel('E-mail').fill('nora@example.com');
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await dialog.waitFor({ state: 'detached' });
    await heading(page, `${nora.name} Prior`).waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText(`${nora.name} is as before.`).waitFor();
    await heading(page, nora.name).waitFor();
    const back = await read(nora.id);
    expect([back?.name, back?.email]).toEqual([nora.name, '']);
  });

  test('lead their owner, and no manager, to who changed them', async () => {
    const nora = await customer();
    const desk = await profile(nora, people.manager);
    await desk.getByRole('button', { name: 'Edit customer' }).waitFor();
    expect(await desk.getByRole('link', { name: 'Changes', exact: true }).count()).toBe(0);
    const page = await profile(nora, people.owner);
    await page.getByRole('main').getByRole('link', { name: 'Changes', exact: true }).click();
    await heading(page, `Changes of ${nora.name}`).waitFor();
  });

  test('have notes, the pinned ones first and shown when they are booked', async () => {
    const nora = await customer();
    const page = await profile(nora);
    await page.getByText('No notes yet.').waitFor();
    await page.getByLabel('New note').fill('Allergic to nuts');
    await page.getByLabel(/^Pin:/).check();
    await page.getByRole('button', { name: 'Add note' }).click();
    await noted(page).filter({ hasText: 'Allergic to nuts' }).getByText('Pinned').waitFor();
    await page.getByLabel('New note').fill('Likes tea');
    await page.getByRole('button', { name: 'Add note' }).click();
    await noted(page).filter({ hasText: 'Likes tea' }).waitFor();
    await noted(page).filter({ hasText: 'Likes tea' }).getByText('Mia Larsen').waitFor();
    expect(await noted(page).first().textContent()).toContain('Allergic to nuts');

    await page.getByRole('button', { name: 'Edit Likes tea' }).click();
    const editing = page.getByRole('dialog', { name: 'Edit note' });
    await editing.getByLabel('Note').fill('Likes coffee');
    await editing.getByRole('button', { name: 'Save note' }).click();
    await noted(page).filter({ hasText: 'Likes coffee' }).waitFor();
    await page.getByRole('button', { name: 'Delete Likes coffee' }).click();
    await page.getByRole('button', { name: 'Delete note' }).click();
    await until(async () => expect(await noted(page).count()).toBe(1));

    await page.getByRole('button', { name: 'New booking' }).click();
    const booking = page.getByRole('dialog', { name: 'New booking' });
    await booking.getByRole('button', { name: `Change customer, now ${nora.name}` }).waitFor();
    await booking.getByRole('list', { name: 'Pinned notes' }).getByText('Allergic to nuts').waitFor();
  });

  test('are asked for their consent, which is recorded with its time', async () => {
    const nora = await customer();
    const page = await profile(nora);
    await page.getByText('Not asked yet').waitFor();
    await page.getByRole('button', { name: 'Record agreement' }).click();
    await page.getByText('Agrees to receive advertising', { exact: true }).waitFor();
    await page.getByText(/^Recorded /).waitFor();
    await page.getByRole('button', { name: 'Record withdrawal' }).click();
    await page.getByText('Does not want advertising', { exact: true }).waitFor();
    expect((await read(nora.id))?.marketingConsent?.given).toBe(false);
  });

  test('show by themselves what a colleague changes', async () => {
    const nora = await customer();
    const page = await freshPage({ as: people.owner });
    const told = followed(page);
    await page.goto(`/${WILLOW}/customers/${nora.id}`);
    await heading(page, nora.name).waitFor();
    await told;
    const of = { businessId: WILLOW, customerId: nora.id };
    await client.call(CustomerService.method.updateCustomer, { ...of, name: `${nora.name} Prior` });
    await heading(page, `${nora.name} Prior`).waitFor();
    await client.call(CustomerNoteService.method.createCustomerNote, { ...of, text: 'Likes tea' });
    await noted(page).filter({ hasText: 'Likes tea' }).waitFor();
  });

  test('of another salon, or none, are not found', async () => {
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/customers/${crypto.randomUUID()}`);
    await heading(page, 'Page not found').waitFor();
  });
});
