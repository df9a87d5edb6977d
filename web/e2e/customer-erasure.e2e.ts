import { CustomerNoteService } from '../src/gen/frontdesk/tenancy/v1/customer_note_pb';
import { CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { barriers } from './barriers';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { bookedAt, firstOffer, serviceNamed, startOf } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const mark = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
  String.fromCharCode(97 + (byte % 26)),
).join('');

test('a person is erased after the dialog said what goes, and the profile says that they were', async () => {
  const client = await RestClient.as(people.manager);
  const name = `Erin ${mark}`;
  const made = await client.call(CustomerService.method.createCustomer, {
    businessId: WILLOW,
    name,
    email: `${mark}@example.com`,
  });
  const customerId = made.customer?.id ?? '';
  const about = { businessId: WILLOW, customerId, text: `Note about ${mark}` };
  await client.call(CustomerNoteService.method.createCustomerNote, about);
  const { id: serviceId } = await serviceNamed(client, 'Blow dry');
  await bookedAt(client, [{ serviceId }], startOf(await firstOffer(client, [{ serviceId }], 27)), customerId);

  const page = await freshPage({ as: people.manager });
  await page.goto(`/${WILLOW}/customers/${customerId}`);
  await inside(page);
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Erase ${name}` });
  await dialog.getByText('One visit to come will be cancelled, and its time is free again.').waitFor();
  await dialog.getByText('Everything that says who').waitFor();
  const erase = dialog.getByRole('button', { name: 'Erase for good' });
  await expect(erase).toBeDisabled();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: `Type ${name} to erase them` }).fill(name.toUpperCase());
  await erase.click();

  await heading(page, 'Erased customer').waitFor();
  await page.getByText('This person was erased on').waitFor();
  await page.getByText('Every part has confirmed.').waitFor();
  const parts = page.getByRole('list', { name: 'Parts' });
  await expect(parts.getByText('Erased', { exact: true })).toHaveCount(4);
  await page.getByText('One visit to come was cancelled.').waitFor();
  await expect(page.getByRole('button', { name: 'Edit customer' })).toHaveCount(0);
  await expect(page.getByText(mark)).toHaveCount(0);
  expect(await barriers(page)).toEqual([]);

  const { customers } = await client.call(CustomerService.method.listCustomers, {
    businessId: WILLOW,
    query: mark,
  });
  expect(customers).toEqual([]);
});

test('an employee is offered no erasure', async () => {
  const client = await RestClient.as(people.manager);
  const made = await client.call(CustomerService.method.createCustomer, {
    businessId: WILLOW,
    name: `Kept ${mark}`,
  });
  const page = await freshPage({ as: people.employee });
  await page.goto(`/${WILLOW}/customers/${made.customer?.id}`);
  await inside(page);
  await page.getByRole('button', { name: 'Edit customer' }).waitFor();
  await expect(page.getByRole('button', { name: 'Erase', exact: true })).toHaveCount(0);
});
