import { readFile } from 'node:fs/promises';
import { CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { freshPage, heading, inside } from './browser';
import { mailed } from './mail';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const mark = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
  String.fromCharCode(97 + (byte % 26)),
).join('');

test.describe('tables of customers', () => {
  test('are imported after the bad lines were shown, once', async () => {
    const table = [
      'First name,Last name,Mobile,Email',
      `Una,${mark},020 7946 0123,una-${mark}@example.com`,
      `Vic,${mark},anonymous,`,
      `\u202eWim,${mark},,`,
      `@Xia,${mark},,`,
    ].join('\r\n');
    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/customers`);
    await inside(page);
    await page.getByRole('link', { name: 'Import' }).click();
    await page
      .getByLabel('Table of customers')
      .setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await page.getByText('1 customer can be imported, 3 of 4 lines can’t.').waitFor();
    await page.getByRole('row', { name: /^3 Phone is not a telephone number/ }).waitFor();
    await page.getByRole('row', { name: /^4 Name contains characters that change the direction/ }).waitFor();
    await page.getByRole('row', { name: /^5 First name begins like a formula/ }).waitFor();
    await page.getByRole('button', { name: 'Import 1 customer' }).click();
    await page.getByText('Imported 1 customer.').waitFor();

    await page.getByRole('button', { name: 'Import another table' }).click();
    await page
      .getByLabel('Table of customers')
      .setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await page.getByText('0 customers can be imported, 4 of 4 lines can’t.').waitFor();

    await page.getByRole('button', { name: 'Import another table' }).click();
    // As Excel saves "CSV" in most of Europe.
    const german = Buffer.from(`Name\r\nJürgen Müller ${mark}`, 'latin1');
    await page
      .getByLabel('Table of customers')
      .setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer: german });
    await page.getByRole('button', { name: 'Import 1 customer' }).click();
    await page.getByText('Imported 1 customer.').waitFor();
    const client = await RestClient.as(people.manager);
    const { customers } = await client.call(CustomerService.method.listCustomers, {
      businessId: WILLOW,
      query: mark,
    });
    expect(customers.map(({ name, phone }) => [name, phone]).sort()).toEqual([
      [`Jürgen Müller ${mark}`, ''],
      [`Una ${mark}`, '+442079460123'],
    ]);
  });

  test('are exported by a manager, of which the owner hears and sees in the changes', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/customers`);
    await inside(page);
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export all customers' });
    await dialog.getByText('the owners are told by e-mail').waitFor();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.split('\r\n')[0]).toBe('\uFEFF"name","first_name","last_name","phone","email","tags"');
    expect(text).toContain(`,"'+44`);
    await mailed(people.owner, /exported the list of all customers of Willow/);

    const owner = await freshPage({ as: people.owner });
    await owner.goto(`/${WILLOW}/details?tab=audit`);
    await heading(owner, 'Changes').waitFor();
    await owner.getByText('Began customer export').first().waitFor();
  });
});
