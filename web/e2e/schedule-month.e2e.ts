import type { Page } from '@playwright/test';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { DayService } from '../src/gen/frontdesk/scheduling/v1/day_pb';
import { CustomerNoteService } from '../src/gen/frontdesk/tenancy/v1/customer_note_pb';
import { dayAfter } from '../src/time/local';
import { barriers } from './barriers';
import { freshPage, heading, inside } from './browser';
import { MIA, NOAH, SERVICE, useOwnDay } from './own-day';
import { cardOf } from './quiet-day';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const MONDAY = 1;
const day = useOwnDay(MONDAY, 130);

const dateIn = (page: Page) => new URL(page.url()).searchParams.get('date');
const dayLink = (page: Page, date: string) => page.locator(`[data-day="${date}"]`);

test('a month says how full each day is, by the salon’s own figures, and leads to the day', async () => {
  await day.book('Mona Month', day.mia, '10:00');
  const page = await day.page();
  await cardOf(page, 'Mona Month').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/.*\/(months|days|appointments)\b/.test(request.url())) asked.push(request.url());
  });
  await page.getByRole('link', { name: 'Month', exact: true }).click();
  const { days } = await day.client.call(DayService.method.getMonth, {
    businessId: WILLOW,
    month: day.date.slice(0, 7),
  });
  const load = days.find(({ opening }) => opening?.date === day.date);
  expect(load?.visits).toBe(1);
  const percent = Math.round((100 * (load?.bookedMinutes ?? 0)) / (load?.bookableMinutes ?? 1));
  const link = dayLink(page, day.date);
  await until(async () => expect(await link.textContent()).toContain(`${percent}% booked`));
  expect(await link.textContent()).toContain('1 visit');
  // Read again at most: one address has the whole month.
  expect(new Set(asked.filter((url) => url.includes('/months/'))).size).toBe(1);
  expect(asked.filter((url) => /\/days\b/.test(url))).toEqual([]);
  expect(await barriers(page)).toEqual([]);

  await link.click();
  await cardOf(page, 'Mona Month').waitFor();
  expect(dateIn(page)).toBe(day.date);
});

test('a month is gone through by keys, across its edges, and Enter opens the day', async () => {
  const page = await freshPage({ as: people.owner });
  await page.goto(`/${WILLOW}/schedule?date=${day.date}`);
  await inside(page);
  await page.getByRole('group', { name: 'Beside the day' }).waitFor();
  await page.keyboard.press('v');
  await dayLink(page, day.date).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const reached = dayAfter(day.date, 8);
  await until(async () =>
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.day)).toBe(reached),
  );
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('ArrowDown');
  const later = dayAfter(reached, 28);
  expect(later.slice(0, 7)).not.toBe(day.date.slice(0, 7));
  await until(async () =>
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.day)).toBe(later),
  );
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Beside the day' }).waitFor();
  expect(dateIn(page)).toBe(later);
});

test('a month fits a phone, where it is in the menu of the day', async () => {
  const page = await freshPage({ as: people.employee, width: 390 });
  await page.goto(`/${WILLOW}/schedule?date=${day.date}`);
  await inside(page);
  await page.getByRole('button', { name: /^More for this day/ }).click();
  await page.getByRole('menuitem', { name: /^Month view/ }).click();
  await dayLink(page, day.date).waitFor();
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wider).toBe(false);
});

test('a month is not for guests', async () => {
  const guest = await freshPage({ as: people.guest });
  await guest.goto(`/${WILLOW}/schedule?view=month`);
  await heading(guest, 'Access Restricted').waitFor();
  const client = await RestClient.as(people.guest);
  await expect(
    client.call(DayService.method.getMonth, { businessId: WILLOW, month: day.date.slice(0, 7) }),
  ).rejects.toThrow('403');
});

/** What is printed: the browser's own dialog is none of the page's. */
async function printed(page: Page, ask: () => Promise<unknown>): Promise<string> {
  await page.evaluate(() => {
    window.print = () => window.dispatchEvent(new Event('beforeprint'));
  });
  await ask();
  const sheet = page.locator('.print-sheet');
  await sheet.waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  const [text, rest] = [await sheet.innerText(), await page.locator('#main').isVisible()];
  expect(rest).toBe(false);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await sheet.waitFor({ state: 'detached' });
  return text;
}

test('a day is printed per employee with notes, and what has to be known of its customers', async () => {
  const id = await day.book('Pia Printed', day.noah, '12:00', '+447700900733');
  const { getAppointment, changeAppointment } = AppointmentService.method;
  const { appointment } = await day.client.call(getAppointment, { businessId: WILLOW, appointmentId: id });
  await day.client.call(CustomerNoteService.method.createCustomerNote, {
    businessId: WILLOW,
    customerId: appointment?.customerId ?? '',
    text: 'Allergic to walnuts.',
    pinned: true,
  });
  await day.client.call(changeAppointment, {
    businessId: WILLOW,
    appointmentId: id,
    notes: 'Comes with a dog.',
    version: appointment?.version ?? 0n,
  });
  const page = await day.page();
  await cardOf(page, 'Pia Printed').waitFor();
  // The browser's own command waits for nothing.
  const asItIs = await printed(page, () => page.evaluate(() => window.print()));
  expect(asItIs).toContain('Pinned notes of customers are missing here: print with “Print…”');
  const text = await printed(page, async () => {
    await page.getByRole('button', { name: 'More for this day' }).click();
    await page.getByRole('menuitem', { name: /^Print…/ }).click();
  });
  for (const part of [
    NOAH,
    '12:00 – 12:30',
    'Pia Printed',
    SERVICE,
    'Allergic to walnuts.',
    'Comes with a dog.',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('are missing here');
});

test('a visit says what each service costs and all of it, and is printed to hand over', async () => {
  const id = await day.book('Rita Receipt', day.mia, '15:00');
  const { appointment } = await day.client.call(AppointmentService.method.getAppointment, {
    businessId: WILLOW,
    appointmentId: id,
  });
  const total = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: 'GBP',
    trailingZeroDisplay: 'stripIfInteger',
  }).format((appointment?.priceMinor ?? 0) / 100);
  const page = await day.page({}, `&visit=${id}`);
  const drawer = page.getByRole('dialog', { name: 'Rita Receipt' });
  await drawer.getByText('at list prices').waitFor();
  expect(await drawer.getByText(total, { exact: true }).count()).toBe(2);
  const text = await printed(page, () => drawer.getByRole('button', { name: 'Print…' }).click());
  for (const part of ['Rita Receipt', SERVICE, MIA, 'Total', total, 'not a receipt for a payment'])
    expect(text).toContain(part);
});
