import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { AppointmentExportService } from '../src/gen/frontdesk/scheduling/v1/appointment_export_pb';
import { dayAfter } from '../src/time/local';
import { freshPage, heading, inside } from './browser';
import { bookedFor, clockOn, customerNamed, quietDay } from './quiet-day';
import { RestClient } from './rest';
import { bookedAt, cancelled, employeeNamed, serviceNamed } from './salon';
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

test('a table of appointments is checked line by line, booked once and read as it was exported', async () => {
  test.setTimeout(120_000);
  const manager = await RestClient.as(people.manager);
  const mark = crypto.randomUUID().slice(0, 8);
  const day = await quietDay(manager, THURSDAY, 23);
  const [cut, dry] = [
    await serviceNamed(manager, "Women's cut & finish"),
    await serviceNamed(manager, 'Blow dry'),
  ];
  const employeeId = await employeeNamed(manager, 'Sofia Marino');
  const customerId = await customerNamed(manager, `=Round Trip ${mark}`);
  const items = [
    { serviceId: cut.id, employeeId, extraMinutes: 15 },
    { serviceId: dry.id, employeeId },
  ];
  const id = await bookedAt(manager, items, clockOn(day, '11:00'), customerId);
  const exported = (await exportOf(manager, day)).split('\r\n');
  const [heads = '', ...own] = exported.filter((line, at) => at === 0 || line.includes(id));
  expect(own.length).toBe(2);

  // What this book wrote is in it already.
  const page = await freshPage({ as: people.manager });
  await page.goto(`/${WILLOW}/details?tab=integrations`);
  await inside(page);
  await page.getByRole('link', { name: 'Import appointments' }).click();
  await heading(page, 'Import appointments').waitFor();
  await send(page, [heads, ...own]);
  await page.getByText('0 lines can be imported, 2 of 2 lines can’t.').waitFor();
  await page.getByRole('row', { name: /^2 Appointment is in the book already/ }).waitFor();

  // Another book has it under another name; some of its lines say what can't be.
  await cancelled(manager, id);
  const other = own.map((line) => line.replace(id, `other-${mark}`));
  const taken = `"taken-${mark}","BOOKED","${day} 11:30","","","","Sofia Marino","","Blow dry","","","",""`;
  const unknown = `"shave-${mark}","BOOKED","${day} 15:00","","","","Sofia Marino","","Royal shave","","","",""`;
  const formula = `"sum-${mark}","BOOKED","${day} 15:00","","","","Sofia Marino","","=SUM(A1)","","","",""`;
  await page.getByRole('button', { name: 'Import another table' }).click();
  await send(page, [heads, ...other, taken, unknown, formula]);
  await page.getByText('2 lines can be imported, 3 of 5 lines can’t.').waitFor();
  const bad = page.getByRole('region', { name: 'Lines that can’t be imported' }).last();
  await bad.getByRole('row', { name: /^4 Start is taken by line 2/ }).waitFor();
  await bad.getByRole('row', { name: /^5 Service is no service of this business/ }).waitFor();
  await bad.getByRole('row', { name: /^6 Service begins like a formula/ }).waitFor();
  await page.getByRole('button', { name: 'Import 2 lines' }).click();
  await page.getByText('Imported 2 lines.').waitFor();
  const again = (await exportOf(manager, day)).split('\r\n').filter((line) => line.includes(mark));
  const withoutId = (line: string) => line.slice(line.indexOf(','));
  const booked = again.filter((line) => line.includes('"BOOKED"'));
  expect(booked.map(withoutId)).toEqual(own.map(withoutId));

  // The same table again books nothing.
  await page.getByRole('button', { name: 'Import another table' }).click();
  await send(page, [heads, ...other]);
  await page.getByText('0 lines can be imported, 2 of 2 lines can’t.').waitFor();
  expect((await exportOf(manager, day)).split('\r\n').filter((line) => line.includes(mark)).length).toBe(4);
});

/** Chooses a file with these lines. */
async function send(page: Page, lines: string[]): Promise<void> {
  await page.getByLabel('Table of appointments').setInputFiles({
    name: 'appointments.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  });
}

/** The appointments of a day as the door exports them. */
async function exportOf(client: RestClient, day: string): Promise<string> {
  const { exportId } = await client.call(AppointmentExportService.method.beginAppointmentExport, {
    businessId: WILLOW,
    firstDate: day,
    lastDate: day,
  });
  const { csv } = await client.call(AppointmentExportService.method.readAppointmentExport, {
    businessId: WILLOW,
    exportId,
  });
  return csv;
}
