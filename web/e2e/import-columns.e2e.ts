import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { ImportLineState, ImportService } from '../src/gen/frontdesk/tenancy/v1/import_pb';
import { shortDateText } from '../src/time/day-text';
import { dayAfter } from '../src/time/local';
import { freshPage, heading, inside } from './browser';
import { clockOn, quietDay } from './quiet-day';
import { RestClient } from './rest';
import { dayOf } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const TUESDAY = 2;

test('columns and dates that a table leaves open are asked about, and its visits are who imports them', async () => {
  test.setTimeout(120_000);
  const manager = await RestClient.as(people.manager);
  const day = await openDay(manager);
  const [year = '', month = '', date = ''] = day.split('-');
  const mark = crypto.randomUUID().slice(0, 8);
  const table = [
    'Nummer;Wann;Mitarbeiterin;Leistung;Raum',
    `${mark};${date}/${month}/${year} 11:00;Sofia Marino;Blow dry;2`,
  ].join('\r\n');

  const page = await freshPage({ as: people.manager });
  await page.goto(`/${WILLOW}/details?tab=integrations`);
  await inside(page);
  await page.getByRole('link', { name: 'Import appointments' }).click();
  await heading(page, 'Import appointments').waitFor();
  await page
    .getByLabel('Table of appointments')
    .setInputFiles({ name: 'buch.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });

  // No heading is known: what is needed is named.
  await page.getByText('The table has no column for “service” or “service id”.').waitFor();
  const column = (name: string) => page.getByLabel(`Field of ${name}`);
  await column('Nummer').selectOption('appointment');
  await column('Wann').selectOption('start');
  await column('Mitarbeiterin').selectOption('employee');
  await column('Leistung').selectOption('service');
  await column('Raum').selectOption('service');
  await page.getByText('The table has “Leistung” and “Raum” both as “service”').waitFor();
  await expect(page.getByRole('button', { name: 'Check the lines' })).toBeDisabled();
  await column('Raum').selectOption('Leave out');

  // The one date may be two days.
  await page.getByText(`Which day is ${date}/${month}/${year}?`).waitFor();
  await page.getByText(`${shortDateText(`${year}-${date}-${month}`)} (month first)`).waitFor();
  await page.getByText(`${shortDateText(day)} (day first)`).click();
  await page.getByRole('button', { name: 'Check the lines' }).click();

  await page.getByText('1 line can be imported.').waitFor();
  const read = page.getByRole('region', { name: 'Columns' });
  await read.getByText('Left out').waitFor();
  await read.getByText('Day first: 03/04/2026 is 3 April').waitFor();
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await page.getByText('Imported 1 line.').waitFor();

  const importId = new URL(page.url()).searchParams.get('import') ?? '';
  const { lines } = await manager.call(ImportService.method.listImportLines, {
    businessId: WILLOW,
    importId,
    state: ImportLineState.IMPORTED,
  });
  const appointmentId = lines[0]?.recordId ?? '';
  const { appointment, stateChanges } = await manager.call(AppointmentService.method.getAppointment, {
    businessId: WILLOW,
    appointmentId,
  });
  expect(Number(appointment?.startsAt?.seconds)).toBe(clockOn(day, '11:00').getTime() / 1000);
  expect(stateChanges[0]?.enteredBy).toMatch(/^user:/);
  await page.goto(`/${WILLOW}/appointments/${appointmentId}`);
  const history = page.getByRole('list', { name: 'History' });
  await expect(history.getByRole('listitem').last()).toContainText('You');
});

/** A day without visits whose number may be that of a month, and is not that of its own. */
async function openDay(client: RestClient): Promise<string> {
  for (let ahead = 40; ; ) {
    const day = await quietDay(client, TUESDAY, ahead);
    const [, month, date] = day.split('-');
    if (Number(date) <= 12 && date !== month) return day;
    ahead = Math.round((Date.parse(dayAfter(day, 1)) - Date.parse(dayOf(new Date()))) / 86_400_000);
  }
}
