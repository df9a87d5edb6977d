import { CalendarService } from '../src/gen/frontdesk/calendarsync/v1/calendar_pb';
import { ConsistencyService } from '../src/gen/frontdesk/calendarsync/v1/consistency_pb';
import { paths } from '../src/paths';
import { freshPage, inside } from './browser';
import { clockOn, quietDay } from './quiet-day';
import { Radicale } from './radicale';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const NAME = 'Work of Sofia Marino';
/** A published calendar is read once a minute. */
const READ_MS = 90_000;
const TUESDAY = 2;

async function connected(client: RestClient) {
  const { calendars } = await client.call(CalendarService.method.listCalendars, {
    businessId: WILLOW,
    pageSize: 200,
  });
  return calendars.find(({ isReadOnly }) => isReadOnly);
}

let server: Radicale;

test.beforeAll(async () => {
  server = await Radicale.start();
});

test.afterAll(async () => {
  const owner = await RestClient.as(people.owner);
  const left = await connected(owner);
  if (left)
    await owner.call(CalendarService.method.disconnectCalendar, { businessId: WILLOW, calendarId: left.id });
  await server.stop();
});

test('a calendar that only has an address keeps its owner’s time free, and is never written to', async () => {
  test.setTimeout(4 * 60_000);
  const owner = await RestClient.as(people.owner);
  const day = await quietDay(owner, TUESDAY, 16);
  await server.put('course', 'Colour course', clockOn(day, '11:00'), 180);

  const page = await freshPage({ as: people.owner });
  await page.goto(`/${WILLOW}/details?tab=integrations`);
  await inside(page);
  await page.getByRole('button', { name: 'Connect a calendar by its address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a calendar by its address' });
  const address = dialog.getByLabel('Address', { exact: true });
  await address.fill(`${server.url}nobody/else`);
  await dialog.getByLabel('Employee').selectOption({ label: 'Sofia Marino' });
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog
    .getByText('The server wants a name and a password for this address: connect it as a CalDAV calendar.')
    .waitFor();
  await address.fill(server.published);
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Read from 127.0.0.1/…. Appointments are not written there.').waitFor();

  const busy = page.getByText('Busy in their calendar', { exact: true });
  await until(async () => {
    await page.goto(`${paths.schedule(WILLOW)}?date=${day}`);
    await inside(page);
    await busy.first().waitFor({ timeout: 3_000 });
  });

  await page.goto(paths.appointmentSync(WILLOW));
  await inside(page);
  await page.getByText(`Appointments are not written to ${NAME}, which is only read.`).waitFor();
  await page.goto(paths.consistency(WILLOW));
  await inside(page);
  await page.getByRole('button', { name: 'Check now' }).click();
  const side = page
    .getByRole('table', { name: 'Calendars compared' })
    .getByRole('row', { name: /published calendar/ });
  await side.getByText('Read-only').waitFor();
  const { differences } = await owner.call(ConsistencyService.method.checkConsistency, {
    businessId: WILLOW,
  });
  const published = await connected(owner);
  expect(differences.filter(({ calendarId }) => calendarId === published?.id)).toEqual([]);

  await server.delete('course');
  await until(async () => {
    await page.goto(`${paths.schedule(WILLOW)}?date=${day}`);
    await inside(page);
    await page.getByRole('heading', { name: 'Schedule' }).waitFor();
    await expect(busy).toHaveCount(0, { timeout: 3_000 });
  }, READ_MS);

  await page.goto(`/${WILLOW}/details?tab=integrations`);
  await inside(page);
  await page.getByRole('button', { name: `Change address of ${NAME}` }).click();
  const changing = page.getByRole('dialog', { name: 'Change the address of Work' });
  await changing.getByText('127.0.0.1/…').waitFor();
  await changing.getByLabel('New address', { exact: true }).fill(`${server.published}/`);
  await changing.getByRole('button', { name: 'Change address' }).click();
  await changing.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Disconnect ${NAME}` }).click();
  const asked = page.getByRole('dialog', { name: `Disconnect ${NAME}?` });
  await asked.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: `Disconnect ${NAME}` }).waitFor({ state: 'detached' });
});
