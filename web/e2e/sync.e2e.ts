import { CalendarService } from '../src/gen/frontdesk/calendarsync/v1/calendar_pb';
import { DemoCalendarService } from '../src/gen/frontdesk/calendarsync/v1/demo_calendar_pb';
import { freshPage, inside } from './browser';
import { Radicale } from './radicale';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

/** An event that was written to a demo calendar for an appointment to come. */
async function writtenEvent(client: RestClient) {
  const { calendars } = await client.call(CalendarService.method.listCalendars, {
    businessId: WILLOW,
    pageSize: 200,
  });
  const from = Date.now() + 24 * 3_600_000;
  for (const { id: calendarId } of calendars) {
    const { events } = await client.call(DemoCalendarService.method.listDemoEvents, {
      businessId: WILLOW,
      calendarId,
      pageSize: 200,
    });
    const ours = events.filter(
      ({ appointmentId, startsAt }) => appointmentId && Number(startsAt?.seconds ?? 0) * 1000 > from,
    );
    const [event] = ours;
    if (event) return { calendarId, eventId: event.id, title: event.title };
  }
  throw new Error('No appointment is in a demo calendar.');
}

test.describe('calendars', () => {
  test('on a CalDAV server are connected by server, name and password, and disconnected again', async () => {
    const server = await Radicale.start();
    try {
      const page = await freshPage({ as: people.owner });
      await page.goto(`/${WILLOW}/details?tab=integrations`);
      await inside(page);
      await page.getByText(/Microsoft 365 can’t be connected/).waitFor();
      await page.getByRole('button', { name: 'Connect a CalDAV calendar' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect a CalDAV calendar' });
      await dialog.getByLabel('Server').fill(server.url);
      await dialog.getByLabel('User name').fill(Radicale.username);
      await dialog.getByLabel('Password', { exact: true }).fill('a wrong one');
      await dialog.getByRole('button', { name: 'Find calendars' }).click();
      await dialog.getByText('refuses this name and password').waitFor();
      await dialog.getByLabel('Password', { exact: true }).fill(Radicale.password);
      await dialog.getByRole('button', { name: 'Find calendars' }).click();
      await expect
        .poll(() => dialog.getByLabel('Calendar').locator('option').allTextContents())
        .toEqual(['Work']);
      await dialog.getByLabel('Employee').selectOption({ label: 'Sofia Marino' });
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });

      const client = await RestClient.as(people.owner);
      await until(async () => {
        const { calendars } = await client.call(CalendarService.method.listCalendars, {
          businessId: WILLOW,
          pageSize: 200,
        });
        const work = calendars.find(({ name }) => name === 'Work');
        expect([work?.lastError, Boolean(work?.syncedAt)]).toEqual(['', true]);
      });
      await page.getByRole('button', { name: 'Change password of Work of Sofia Marino' }).click();
      const changing = page.getByRole('dialog', { name: 'Change the password of Work' });
      await changing.getByLabel('New password', { exact: true }).fill('a wrong one');
      await changing.getByRole('button', { name: 'Change password' }).click();
      await changing.getByText('refuses this name and password').waitFor();
      await changing.getByLabel('New password', { exact: true }).fill(Radicale.password);
      await changing.getByRole('button', { name: 'Change password' }).click();
      await changing.waitFor({ state: 'detached' });
      // What is ahead is written there by now; an entry of its owner's is theirs.
      await server.put('dentist', 'Dentist', new Date(Date.now() + 3_600_000), 30);
      await until(async () => {
        const { calendars } = await client.call(CalendarService.method.listCalendars, {
          businessId: WILLOW,
          pageSize: 200,
        });
        const work = calendars.find(({ name }) => name === 'Work');
        expect(work?.writtenCount).toBeGreaterThan(0);
        expect(work?.writtenCount).toBe((await server.names()).length - 1);
      });
      await page.reload();
      await page.getByRole('button', { name: 'Disconnect Work of Sofia Marino' }).click();
      const dialogs = page.getByRole('dialog', { name: 'Disconnect Work of Sofia Marino?' });
      await expect(
        dialogs.getByRole('checkbox', {
          name: /^Take out the .* upcoming appointments? that Frontdesk wrote$/,
        }),
      ).toBeChecked();
      await dialogs.getByRole('button', { name: 'Disconnect', exact: true }).click();
      await page.getByText('Work of Sofia Marino is disconnected.').waitFor();
      await page
        .getByRole('button', { name: 'Disconnect Work of Sofia Marino' })
        .waitFor({ state: 'detached' });
      const { calendars, ending } = await client.call(CalendarService.method.listCalendars, {
        businessId: WILLOW,
        pageSize: 200,
      });
      expect([...calendars, ...ending].map(({ name }) => name)).not.toContain('Work');
      expect(await server.names()).toEqual(['dentist']);
    } finally {
      await server.stop();
    }
  });

  test('are compared with the book, and what differs is repaired line by line', async () => {
    const manager = await RestClient.as(people.manager);
    const { calendarId, eventId, title } = await writtenEvent(manager);
    await manager.call(DemoCalendarService.method.deleteDemoEvent, {
      businessId: WILLOW,
      calendarId,
      eventId,
    });
    const page = await freshPage({ as: people.admin });
    await page.goto(`/admin/saloniq-consistency?business=${WILLOW}`);
    await inside(page);
    await page.getByRole('button', { name: 'Check now' }).click();
    const row = page
      .getByRole('table', { name: 'Differences' })
      .getByRole('row')
      .filter({ hasText: 'Missing there' })
      .filter({ hasText: title });
    await row.first().waitFor();
    // What was found is still there for others, and leads to the visit, whose history names who changed it.
    await page.reload();
    await row.first().waitFor();
    await expect(row.first().getByRole('link', { name: /^The visit of/ })).toHaveAttribute(
      'href',
      /\/appointments?\//,
    );
    await row
      .first()
      .getByRole('button', { name: /^Write it again/ })
      .click();
    await row.first().getByText('Being written').waitFor();
    await until(async () => {
      const { events } = await manager.call(DemoCalendarService.method.listDemoEvents, {
        businessId: WILLOW,
        calendarId,
        pageSize: 200,
      });
      expect(events.map(({ id }) => id)).toContain(eventId);
    });
    await page.getByRole('table', { name: 'Calendars compared' }).waitFor();
  });

  test('show how each appointment is in them, with its history', async () => {
    const page = await freshPage({ as: people.admin });
    await page.goto(`/admin/appointment-sync?business=${WILLOW}`);
    await inside(page);
    const table = page.getByRole('table', { name: 'Appointments and their calendars' });
    const row = table.getByRole('row').nth(1);
    await row.getByText('Written').first().waitFor();
    await row.getByRole('button', { name: /^History/ }).click();
    const drawer = page.getByRole('dialog', { name: /^History of/ });
    await drawer
      .getByText(/^Written: /)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Only what failed or was refused').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('only')).toBe('failed');
  });

  test('are for owners to look into', async () => {
    const page = await freshPage({ as: people.employee });
    for (const path of ['appointment-sync', 'consistency']) {
      await page.goto(`/${WILLOW}/${path}`);
      await page.getByText('Access Restricted').first().waitFor();
    }
  });
});
