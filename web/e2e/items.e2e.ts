import { readFile } from 'node:fs/promises';
import { BusinessService } from '../src/gen/frontdesk/tenancy/v1/business_pb';
import { ItemService } from '../src/gen/frontdesk/tenancy/v1/item_pb';
import { SupplierService } from '../src/gen/frontdesk/tenancy/v1/supplier_pb';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

let client: RestClient;
const mark = crypto.randomUUID().slice(0, 8);
const shampoo = `Shampoo ${mark}`;

const found = async (query: string) =>
  (await client.call(ItemService.method.listItems, { businessId: WILLOW, query, pageSize: 200 })).items;

test.beforeAll(async () => {
  client = await RestClient.as(people.manager);
  const { business } = await client.call(BusinessService.method.getBusiness, { businessId: WILLOW });
  expect(business?.currency).toBe('GBP');
});

test.afterAll(async () => {
  for (const { id } of await found(mark))
    await client.call(ItemService.method.archiveItem, { businessId: WILLOW, itemId: id });
});

test.describe('items', () => {
  test('are added by a manager, received, sold by an employee, counted and undone', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/items`);
    await inside(page);
    await page.getByRole('button', { name: 'New item' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New item' });
    await dialog.getByLabel('Name').fill(shampoo);
    await dialog.getByLabel('SKU').fill(`SH-${mark}`);
    await dialog.getByLabel('Barcode').fill('4006381333932');
    await dialog.getByLabel('Price (£, optional)').fill('12.50');
    await dialog.getByLabel('Low at').fill('4');
    await dialog.getByRole('button', { name: 'Add item' }).click();
    // The last digit checks the others.
    await expect.poll(() => dialog.getByLabel('Barcode').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Barcode').fill('');
    await dialog.getByRole('button', { name: 'Add item' }).click();
    await heading(page, shampoo).waitFor();

    await page.getByRole('button', { name: 'Record a delivery' }).click();
    const delivery = page.getByRole('dialog', { name: 'Record a delivery' });
    await delivery.getByLabel('Quantity').fill('6');
    await delivery.getByLabel('Note').fill('Invoice 12');
    await delivery.getByRole('button', { name: 'Record', exact: true }).click();
    await delivery.waitFor({ state: 'detached' });
    await page.getByText('Received +6').first().waitFor();

    const desk = await freshPage({ as: people.employee });
    await desk.goto(page.url());
    await heading(desk, shampoo).waitFor();
    expect(await desk.getByRole('button', { name: 'Record a delivery' }).count()).toBe(0);
    await desk.getByRole('button', { name: 'Record a sale' }).click();
    const sale = desk.getByRole('dialog', { name: 'Record a sale' });
    await sale.getByLabel('Quantity').fill('7');
    await sale.getByText('Only 6 on hand: the stock becomes −1.').waitFor();
    await sale.getByLabel('Quantity').fill('2');
    await sale.getByText('Only 6 on hand').waitFor({ state: 'detached' });
    await sale.getByRole('button', { name: 'Record', exact: true }).click();
    await sale.waitFor({ state: 'detached' });
    await desk.getByText('Sold −2').first().waitFor();
    // The other desk sees it by itself: four are left, which is low.
    await page.getByText('Sold −2').first().waitFor();
    await page.getByText('Low', { exact: true }).waitFor();
    await desk.getByRole('button', { name: 'Undo Sold −2' }).click();
    await desk.getByText('Sold (undone) −2').first().waitFor();
    await until(async () => expect((await found(mark))[0]?.onHand).toBe(6n));

    await page.goto(`/${WILLOW}/items?q=${mark}`);
    await page.getByRole('link', { name: shampoo }).waitFor();
    await page.getByRole('button', { name: 'Count stock' }).click();
    const count = page.getByRole('dialog', { name: 'Count stock' });
    await count.getByLabel(`Counted of ${shampoo}`).fill('5');
    await count.getByRole('button', { name: 'Show differences' }).click();
    const differences = page.getByRole('dialog', { name: 'What the count changes' });
    await differences.getByRole('row', { name: `${shampoo} 6 5 −1` }).waitFor();
    expect((await found(mark))[0]?.onHand).toBe(6n);
    await differences.getByRole('button', { name: 'Record the count' }).click();
    await differences.waitFor({ state: 'detached' });
    expect((await found(mark))[0]?.onHand).toBe(5n);
    const told = page.getByRole('region', { name: 'Notifications', exact: true });
    await told.getByRole('button', { name: 'Undo' }).click();
    await told.getByText(`The count of ${shampoo} is undone.`).waitFor();
    expect((await found(mark))[0]?.onHand).toBe(6n);
    await page.getByRole('link', { name: shampoo }).click();
    await page.getByText('Counted (undone): 5, −1 against the list').first().waitFor();
    await page.getByText('Undone: counted +1').first().waitFor();
  });

  test('are archived and changed with an undo each, which leaves a colleague’s change alone', async () => {
    const name = `Foil ${mark}`;
    const { item } = await client.call(ItemService.method.createItem, {
      businessId: WILLOW,
      details: { name },
    });
    const itemId = item?.id ?? '';
    const one = { businessId: WILLOW, itemId };
    const page = await freshPage({ as: people.manager });
    const told = page.getByRole('region', { name: 'Notifications', exact: true });
    await page.goto(`/${WILLOW}/items/${itemId}`);
    await inside(page);
    await heading(page, name).waitFor();
    await page.getByRole('button', { name: 'Edit item' }).click();
    const dialog = page.getByRole('dialog', { name: `Edit ${name}` });
    await dialog.getByLabel('Category').fill('Colour');
    await dialog.getByRole('button', { name: 'Save item' }).click();
    await told.getByText(`Saved ${name}.`).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await told.getByText(`Archived ${name}.`).waitFor();
    await page.keyboard.press('Control+z');
    await told.getByText(`${name} is on the list again.`).waitFor();
    await page.keyboard.press('Control+z');
    await told.getByText(`${name} is as before.`).waitFor();
    const { item: as } = await client.call(ItemService.method.getItem, one);
    expect([as?.archived, as?.details?.category]).toEqual([false, '']);

    // A colleague puts it back and changes it: undoing the archiving would take their change back.
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await told.getByText(`Archived ${name}.`).waitFor();
    await client.call(ItemService.method.updateItem, { ...one, details: { name, unit: 'rolls' } });
    await page.keyboard.press('Control+z');
    await told.getByText(`Not undone. ${name} was changed again since.`).waitFor();
    const { item: left } = await client.call(ItemService.method.getItem, one);
    expect([left?.archived, left?.details?.unit]).toEqual([true, 'rolls']);
  });

  test('name their supplier, who stays while one does', async () => {
    const [acme, renamed] = [`Acme ${mark}`, `Acme & Sons ${mark}`];
    const { item } = await client.call(ItemService.method.createItem, {
      businessId: WILLOW,
      details: { name: `Toner ${mark}` },
    });
    const page = await freshPage({ as: people.manager });
    const told = page.getByRole('region', { name: 'Notifications', exact: true });
    await page.goto(`/${WILLOW}/items?q=${mark}`);
    await inside(page);
    await page.getByRole('button', { name: 'Suppliers' }).click();
    const all = page.getByRole('dialog', { name: 'Suppliers' });
    await all.getByRole('button', { name: 'Add supplier' }).click();
    const form = page.getByRole('dialog', { name: 'New supplier' });
    await form.getByLabel('Name').fill(acme);
    await form.getByLabel('Phone (optional)').fill('call us');
    await form.getByRole('button', { name: 'Save supplier' }).click();
    await expect(form.getByLabel('Phone (optional)')).toHaveAttribute('aria-invalid', 'true');
    await form.getByLabel('Phone (optional)').fill('020 7946 0555');
    await form.getByRole('button', { name: 'Save supplier' }).click();
    await told.getByText(`Saved ${acme}.`).waitFor();
    const rename = async () => {
      await all.getByRole('button', { name: `Edit ${acme}` }).click();
      const edit = page.getByRole('dialog', { name: `Edit ${acme}` });
      await edit.getByLabel('Name').fill(renamed);
      await edit.getByRole('button', { name: 'Save supplier' }).click();
    };
    await rename();
    await told.getByRole('button', { name: 'Undo' }).click();
    await told.getByText(`${acme} is as before.`).waitFor();
    await rename();
    const row = all.getByRole('listitem').filter({ hasText: renamed });
    await row.getByText('+44 20 7946 0555').waitFor();

    const { suppliers } = await client.call(SupplierService.method.listSuppliers, {
      businessId: WILLOW,
      pageSize: 200,
    });
    const supplierId = suppliers.find(({ name }) => name === renamed)?.id ?? '';
    const named = { businessId: WILLOW, itemId: item?.id ?? '' };
    const details = { name: `Toner ${mark}` };
    await client.call(ItemService.method.updateItem, { ...named, details: { ...details, supplierId } });
    await row.getByRole('button', { name: `Delete ${renamed}` }).click();
    await told.getByText(`${renamed} stays: items name this supplier.`).waitFor();
    await client.call(ItemService.method.updateItem, { ...named, details });
    await row.getByRole('button', { name: `Delete ${renamed}` }).click();
    await told.getByText(`Deleted ${renamed}.`).waitFor();
    await row.waitFor({ state: 'detached' });
    await all.getByRole('button', { name: 'Close', exact: true }).last().click();
    const deleted = told.locator('> div').filter({ hasText: `Deleted ${renamed}.` });
    await deleted.getByRole('button', { name: 'Undo' }).click();
    await told.getByText(`${renamed} is a supplier again.`).waitFor();
    await page.getByRole('button', { name: 'Suppliers' }).click();
    await row.getByText('+44 20 7946 0555').waitFor();
  });

  test('are imported after the bad lines were shown, and exported without formulas', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/items/import`);
    await inside(page);
    const table = [
      'name,sku,price,on hand',
      `Wax ${mark},WX-${mark},4.50,3`,
      `=SUM(A1) ${mark},X,,`,
      `Gel ${mark},WX-${mark},,`,
      `Foam ${mark},,free,`,
      `'=Mousse ${mark},,,`,
      `${'Z'.repeat(300)},,,`,
    ].join('\n');
    await page
      .getByLabel('Table of items')
      .setInputFiles({ name: 'stock.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await page.getByText('2 items can be imported, 4 of 6 lines can’t.').waitFor();
    const bad = page.getByRole('region', { name: 'Lines that can’t be imported' }).last();
    await bad.getByRole('row', { name: /^3 Name begins like a formula/ }).waitFor();
    await bad.getByRole('row', { name: /^4 SKU is that of line 2 as well/ }).waitFor();
    await bad.getByRole('row', { name: /^5 Price is not an amount/ }).waitFor();
    // What is wrong is read without scrolling, however long a cell is.
    await bad.getByRole('row', { name: /^7 Name is longer than 200 characters/ }).waitFor();
    const [wide, given] = await bad.evaluate((table) => [table.scrollWidth, table.clientWidth]);
    expect(wide).toBeLessThanOrEqual(given ?? 0);
    expect(await found(`Wax ${mark}`)).toEqual([]);

    // The address finds the import again.
    await page.reload();
    await page.getByRole('button', { name: 'Import 2 items' }).click();
    await page.getByText('Imported 2 items. 4 of 6 lines were left out.').waitFor();
    expect((await found(`Wax ${mark}`))[0]?.onHand).toBe(3n);

    // What was left out is taken away, corrected and sent again, without a word about its columns.
    const taken = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download: Lines that can’t be imported' }).click();
    const file = await taken;
    expect(file.suggestedFilename()).toBe('stock-left-out.csv');
    const leftOut = await readFile(await file.path(), 'utf8');
    expect(leftOut).toContain(`"5","price is not an amount`);
    expect(leftOut).toContain(`"'=SUM(A1) ${mark}"`);
    await page.getByRole('button', { name: 'Import another table' }).click();
    await page.getByLabel('Table of items').setInputFiles({
      name: 'corrected.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(leftOut.replace('"free"', '"6.50"')),
    });
    await page.getByText('2 items can be imported, 2 of 4 lines can’t.').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Cancelled. Nothing was imported.').waitFor();

    await page.goto(`/${WILLOW}/items`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toContain(`'=Mousse ${mark}`);
    expect(text).toMatch(new RegExp(`^"Wax ${mark}","","WX-${mark}","","4.50",`, 'm'));
  });

  test('of a salon are found by filter and by search, on a phone too', async () => {
    const page = await freshPage({ as: people.employee, width: 390 });
    await page.goto(`/${WILLOW}/items`);
    await inside(page);
    await page.getByLabel('Search items').fill(`nothing ${mark}`);
    await page.getByText('No item matches').waitFor();
    await page.getByLabel('Low on stock').click();
    await expect(page.getByLabel('Low on stock')).toBeChecked();
    await page.waitForURL(({ searchParams }) => searchParams.has('low') && searchParams.has('q'));
    await page.getByLabel('Search items').fill('foil');
    await page.getByText('1 item, by name').waitFor();
    await page.getByLabel('Category').selectOption('Colour');
    await page.getByText('No item matches').waitFor();
    await page.waitForURL(({ searchParams }) =>
      ['low', 'q', 'category'].every((name) => searchParams.has(name)),
    );
    expect(await page.getByRole('button', { name: 'New item' }).count()).toBe(0);
  });
});
