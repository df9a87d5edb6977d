import { readFile } from 'node:fs/promises';
import { dayAfter } from '../src/time/local';
import { freshPage, inside } from './browser';
import { bookedFor, clockOn, quietDay } from './quiet-day';
import { RestClient } from './rest';
import { employeeNamed, serviceNamed } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const THURSDAY = 4;

test('the appointments of some days are saved as a table, by a manager, and that is noted', async () => {
  const manager = await RestClient.as(people.manager);
  const day = await quietDay(manager, THURSDAY, 16);
  const service = await serviceNamed(manager, "Women's cut & finish");
  const employeeId = await employeeNamed(manager, 'Sofia Marino');
  const item = { serviceId: service.id, employeeId, employeeOnly: true };
  const id = await bookedFor(manager, '=Formula Smith', item, clockOn(day, '11:00'));

  const page = await freshPage({ as: people.owner });
  await page.goto(`/${WILLOW}/details?tab=integrations`);
  await inside(page);
  await page.getByRole('button', { name: 'Export appointments' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export appointments' });
  await dialog.getByLabel('First day').fill(day);
  await dialog.getByLabel('Last day').fill('2000-01-01');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(dialog.getByLabel('Last day')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByText('Choose a last day on or after the first day.').waitFor();
  await dialog.getByLabel('Last day').fill(dayAfter(day, 367));
  await dialog.getByText('Choose at most 367 days.').waitFor();
  await dialog.getByLabel('Last day').fill(day);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`appointments-${day}-${day}.csv`);
  const text = await readFile(await download.path(), 'utf8');
  const line = text.split('\r\n').find((line) => line.includes(id)) ?? '';
  expect(line).toContain(`"BOOKED","${day} 11:00"`);
  expect(line).toContain('"Sofia Marino"');
  expect(line).toContain(`"'=Formula Smith"`);
  await dialog.waitFor({ state: 'detached' });

  await page.goto(`/${WILLOW}/details?tab=audit`);
  await inside(page);
  const noted = page.getByRole('listitem').filter({ hasText: 'Began appointment export' }).first();
  await noted.getByText(/^First day: /).waitFor();
  await noted.getByText(/^Last day: /).waitFor();
});
