import type { Page } from '@playwright/test';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { instantOf } from '../src/time/local';
import { atHome, freshPage, heading, inside } from './browser';
import { busyInCalendar, withCalendar } from './demo-calendar';
import { followed } from './live';
import { RestClient } from './rest';
import {
  bookedAt,
  cancelled,
  dayOf,
  employeeNamed,
  firstOffer,
  LONDON,
  lateToday,
  openToday,
  serviceNamed,
  startOf,
} from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { useUndo } from './undo';
import { until } from './until';

const NOAH = 'Noah Adeyemi';
const QUIET_DAYS = 29;
/** From an entry in a calendar to the conflict it makes. */
const SYNC_MS = 45_000;

let client: RestClient;
let noah = '';
const undo = useUndo();
test.beforeAll(async () => {
  client = await RestClient.as(people.manager);
  noah = await employeeNamed(client, NOAH);
});

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rows = (page: Page, name: string, text: string) =>
  part(page, name).getByRole('listitem').filter({ hasText: text });

test.describe('the home of a salon', () => {
  test('shows who is at work until when, and links to their week', async () => {
    test.skip(lateToday(), 'A whole visit no longer fits into today.');
    undo.push(await openToday(client, [noah]));
    const page = await atHome(people.employee);
    const row = rows(page, 'At work', NOAH);
    await row.getByText('until 0:00').waitFor();
    await row.getByRole('link', { name: NOAH }).click();
    await page.waitForURL(`**/schedule?employee=${noah}`);
    await heading(page, 'Schedule').waitFor();
  });

  test('finds free time by itself, and books there', async () => {
    test.skip(lateToday(), 'A whole visit no longer fits into today.');
    const service = await serviceNamed(client, 'Beard trim');
    const page = await freshPage({ as: people.employee });
    const live = followed(page);
    await page.goto(`/${WILLOW}`);
    await inside(page);
    await live;
    // The last of the day stays free whatever others book; early in the day others' gaps come before it.
    const free = rows(page, 'Free times today', NOAH);
    const all = part(page, 'Free times today').getByRole('button', { name: /^Show all/ });
    await free.or(all).first().waitFor();
    if (await all.isVisible()) await all.click();
    await free.first().waitFor();
    const before = await free.count();

    const start = instantOf(dayOf(new Date()), 23 * 60, LONDON);
    const appointmentId = await bookedAt(client, [{ serviceId: service.id, employeeId: noah }], start);
    undo.push(() => cancelled(client, appointmentId));
    // What was one stretch is two: before the visit, and after it. With one more, a list that was whole may be cut.
    await free.nth(before).or(all).first().waitFor();
    if (await all.isVisible()) await all.click();
    await free.nth(before).waitFor();
    // Noah may have been booked earlier in the day: then it lies between that visit and this one.
    await free
      .filter({ hasText: /(before|and) Walk-in/ })
      .first()
      .waitFor();

    await free
      .first()
      .getByRole('button', { name: /^Book .* with Noah Adeyemi$/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'New booking' });
    await dialog.getByLabel('Service', { exact: true }).selectOption({ label: 'Beard trim' });
    await dialog
      .getByRole('button', { name: /with Noah Adeyemi/ })
      .first()
      .click();
    await dialog.getByText('Held for you').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('leads from a conflict to where it is settled', async () => {
    test.setTimeout(120_000);
    const service = await serviceNamed(client, 'Beard trim');
    const wanted = [{ serviceId: service.id, employeeId: noah }];
    const start = startOf(await firstOffer(client, wanted, QUIET_DAYS));
    const appointmentId = await bookedAt(client, wanted, start);
    undo.push(() => cancelled(client, appointmentId));
    await withCalendar(client, noah);
    const title = `Dentist ${Date.now() % 1_000_000}`;
    const page = await freshPage({ as: people.manager });
    const live = followed(page);
    await page.goto(`/${WILLOW}`);
    await inside(page);
    await live;
    undo.push(await busyInCalendar(client, noah, title, start));
    // The calendar has to be read first.
    await until(async () => {
      const { conflicts } = await client.call(AppointmentService.method.listConflicts, {
        businessId: WILLOW,
      });
      expect(conflicts.map((conflict) => conflict.title)).toContain(title);
    }, SYNC_MS);
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: title });
    await row.getByRole('link', { name: 'Settle it' }).click();
    await heading(page, 'Inbox').waitFor();
    await row.getByText(`${NOAH} is booked and busy at once`).waitFor();
  });

  test('shows when calendars were read', async () => {
    await withCalendar(client, noah);
    const page = await atHome(people.employee);
    await part(page, 'Calendars')
      .getByText(/^read (just now|\d+ minutes? ago)$/)
      .first()
      .waitFor();
  });

  test('leads from a calendar that is not up to date to the inbox, which says why and what follows', async () => {
    await withCalendar(client, noah);
    const page = await freshPage({ as: people.employee, width: 390 });
    let stopped = true;
    await page.route('**/businesses/*/calendars?*', async (route) => {
      const answer = await route.fetch();
      const { calendars } = (await answer.json()) as {
        calendars: { employeeId: string; lastError: string }[];
      };
      for (const calendar of calendars) {
        if (stopped && calendar.employeeId === noah) calendar.lastError = 'the calendar does not answer';
      }
      await route.fulfill({ response: answer, json: { calendars } });
    });
    await page.goto(`/${WILLOW}`);
    await inside(page);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: /^Inbox ?\d+ to settle$/ }).waitFor();
    const row = part(page, 'Calendars').getByRole('listitem').first();
    await row.getByText(NOAH).waitFor();
    await row.getByRole('link', { name: 'Not up to date' }).click();
    await heading(page, 'Inbox').waitFor();
    const told = part(page, 'Calendars not up to date').getByRole('listitem').filter({ hasText: NOAH });
    await told.getByText('The calendar does not answer.').waitFor();
    await told.getByText(/^It is tried again by itself/).waitFor();
    await told.getByText(/^(Due|Was due) /).waitFor();
    await told.getByText('For anyone', { exact: true }).waitFor();
    // Sooner, a live update could take it off the list before the button is pressed.
    page.on('request', (request) => {
      if (request.url().endsWith(':retry')) stopped = false;
    });
    await told.getByRole('button', { name: /^Try again/ }).click();
    await told.waitFor({ state: 'detached' });
  });

  test('leads to all calls', async () => {
    const page = await atHome(people.employee);
    await part(page, 'Calls').getByRole('link', { name: 'All calls' }).click();
    await heading(page, 'Calls').waitFor();
  });

  test('shows the failure of one part, and all other parts', async () => {
    const page = await freshPage({ as: people.employee });
    // Any live update reads calendars again: until the button is pressed, all of that fails, so that it stays.
    const pressed = () => page.evaluate(() => document.documentElement.hasAttribute('data-pressed'));
    await page.route('**/businesses/*/calendars?*', async (route) =>
      (await pressed())
        ? route.continue()
        : route.fulfill({ status: 400, json: { code: 9, message: 'It rains.' } }),
    );
    await page.goto(`/${WILLOW}`);
    await inside(page);
    const failed = part(page, 'Calendars');
    await failed.getByText('It rains.').waitFor();
    for (const name of ['Next appointments', 'At work', 'Free times today', 'Calls', 'Opening hours']) {
      await part(page, name).waitFor();
      expect([name, await part(page, name).getByRole('alert').count()]).toEqual([name, 0]);
    }
    await page.evaluate(() => {
      const note = () => document.documentElement.setAttribute('data-pressed', '');
      document.addEventListener('click', note, { capture: true, once: true });
    });
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.getByText('It rains.').waitFor({ state: 'detached' });
  });

  test('shows a guest name, address, hours and services, and nothing else', async () => {
    const page = await atHome(people.guest);
    await heading(page, 'Willow & Co').waitFor();
    await part(page, 'Services').getByRole('listitem').first().waitFor();
    await part(page, 'Opening hours').getByRole('listitem').first().waitFor();
    const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    expect(titles).toEqual(['Services', 'Opening hours']);
    expect(await page.getByRole('main').getByText(/\+44/).count()).toBe(0);
  });
});
