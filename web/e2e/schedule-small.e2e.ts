import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Page } from '@playwright/test';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { DayService } from '../src/gen/frontdesk/scheduling/v1/day_pb';
import { localMinute } from '../src/time/zoned';
import { freshPage, inside } from './browser';
import { MIA, useOwnDay } from './own-day';
import { bookedFor, column } from './quiet-day';
import { cancelled, clockOf, dayOf, firstOffer, LONDON, lateToday, openToday, startOf } from './salon';
import { people, WILLOW } from './stack';
import { onTheLine } from './telephone';
import { expect, test } from './test';

const WEDNESDAY = 3;
/** Works on no Wednesday. */
const SOFIA = 'Sofia Marino';
const day = useOwnDay(WEDNESDAY, 130);

const SCREENS = [
  { name: 'a tablet', width: 1024, height: 768 },
  { name: 'a laptop at 200 %', width: 720, height: 450 },
];

async function dayOn(width: number, height: number, date?: string): Promise<Page> {
  const page = await freshPage({ as: people.owner, width });
  await page.setViewportSize({ width, height });
  await page.goto(`/${WILLOW}/schedule?date=${date ?? day.date}`);
  await inside(page);
  // Who works today depends on the weekday.
  await (date === '' ? page.locator('[data-column]').first() : column(page, MIA)).waitFor();
  return page;
}

/** How many hours lie between the columns' heads and what covers the lower edge. */
function hoursInSight(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [one, next] = [...document.querySelectorAll('.axis > span')].map(
      (mark) => mark.getBoundingClientRect().top,
    );
    const heads = document.querySelector('.heads');
    const grid = heads?.closest('section');
    if (!heads || !grid || one === undefined || next === undefined) return 0;
    const navigation = document.querySelector('nav[aria-label="Main"]')?.getBoundingClientRect();
    const below = navigation && navigation.width === innerWidth ? navigation.top : innerHeight;
    const bottom = Math.min(grid.getBoundingClientRect().bottom, below);
    return (bottom - heads.getBoundingClientRect().bottom) / (next - one);
  });
}

/** From the first to the last minute of today in which there is work or a visit. */
async function workToday(): Promise<{ from: number; to: number }> {
  const date = dayOf(new Date());
  const { getDay } = DayService.method;
  const { columns, visits } = await day.client.call(getDay, {
    businessId: WILLOW,
    firstDate: date,
    lastDate: date,
  });
  const worked = columns.flatMap(({ working }) =>
    working.flatMap((span) => [span.fromMinute, span.toMinute]),
  );
  const booked = visits
    .filter(({ appointment }) => appointment?.state !== AppointmentState.CANCELLED)
    .flatMap(({ appointment }) => [appointment?.startsAt, appointment?.endsAt])
    .flatMap((at) => (at ? [localMinute(timestampDate(at), LONDON).minute] : []));
  // A day without either is drawn from 8:00 to 19:00.
  const minutes = worked.length + booked.length > 0 ? [...worked, ...booked] : [8 * 60, 19 * 60];
  return { from: Math.min(...minutes), to: Math.max(...minutes) };
}

/** Which minutes of the day lie between the columns' heads and what covers the lower edge. */
function minutesInSight(page: Page): Promise<{ from: number; to: number }> {
  return page.evaluate(() => {
    const marks = [...document.querySelectorAll('.axis > span')].map((mark) => {
      const [hours, minutes] = (mark.textContent ?? '').split(':').map(Number);
      return { minute: (hours ?? 0) * 60 + (minutes ?? 0), top: mark.getBoundingClientRect().top };
    });
    const [one, next] = marks;
    const heads = document.querySelector('.heads');
    const grid = heads?.closest('section');
    if (!heads || !grid || !one || !next) throw new Error('The day has no hours.');
    const navigation = document.querySelector('nav[aria-label="Main"]')?.getBoundingClientRect();
    const below = navigation && navigation.width === innerWidth ? navigation.top : innerHeight;
    const bottom = Math.min(grid.getBoundingClientRect().bottom, below);
    const minuteAt = (y: number) => one.minute + ((y - one.top) * 60) / (next.top - one.top);
    return { from: minuteAt(heads.getBoundingClientRect().bottom), to: minuteAt(bottom) };
  });
}

for (const { name, width, height } of SCREENS) {
  test(`${name} shows four hours of the day under one row of tools, with a caller on the line`, async () => {
    day.undo.push(await onTheLine());
    const page = await dayOn(width, height);
    const calls = page.getByRole('button', { name: /^\d+ calls? on the line: / });
    await calls.waitFor();
    expect(await hoursInSight(page)).toBeGreaterThanOrEqual(4);
    const bar = page.getByRole('region', { name: 'Calls on the line' });
    expect(await bar.count()).toBe(0);
    const tops = await Promise.all(
      ['Today', 'Next day', 'More for this day'].map(async (button) => {
        const box = await page.getByRole('button', { name: new RegExp(`^${button}`) }).boundingBox();
        return box && box.y + box.height / 2;
      }),
    );
    expect(new Set(tops).size).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

    await calls.press('Enter');
    await bar
      .getByRole('button', { name: /^New booking/ })
      .first()
      .waitFor();
    await bar.getByRole('button', { name: 'Fold the calls' }).press('Enter');
    await bar.waitFor({ state: 'detached' });
    expect(await calls.evaluate((button) => button === document.activeElement)).toBe(true);
  });
}

test('an employee who does not work takes no column of a tablet, and can be shown', async () => {
  const page = await dayOn(1024, 768);
  expect(await column(page, SOFIA).count()).toBe(0);
  await page.getByRole('button', { name: /^More for this day/ }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^Show not working: .*${SOFIA}`) }).click();
  await column(page, SOFIA).waitFor();
});

for (const { name, width, height } of [{ name: 'a desktop', width: 1280, height: 800 }, ...SCREENS]) {
  test(`today opens at the present, or at night at the work nearest to it, on ${name}`, async () => {
    const work = await workToday();
    const page = await dayOn(width, height, '');
    const now = localMinute(new Date(), LONDON).minute;
    const [first, last] =
      now < work.from ? [work.from, work.from + 60] : now > work.to ? [work.to - 60, work.to] : [now, now];
    const { from, to } = await minutesInSight(page);
    // What is drawn at a fraction of a pixel counts.
    expect(from).toBeLessThanOrEqual(first + 1);
    expect(to).toBeGreaterThanOrEqual(last - 1);
  });
}

test('a desktop shows the day down to the foot of the screen', async () => {
  const page = await dayOn(1280, 800);
  const box = await page
    .locator('section', { has: page.locator('.heads') })
    .last()
    .boundingBox();
  const foot = (box?.y ?? 0) + (box?.height ?? 0);
  expect(foot).toBeLessThanOrEqual(800);
  expect(foot).toBeGreaterThan(760);
});

test('an employee’s phone begins with their own day, and shows all on demand', async () => {
  await day.book('Paula Phone', day.mia, '10:00');
  await day.book('Nora Near', day.noah, '10:00');
  const page = await day.page({ as: people.employee, width: 390 });
  const visits = page.getByRole('list', { name: /^Visits, / });
  await visits.getByRole('button', { name: /Paula Phone/ }).waitFor();
  expect(await visits.getByRole('button', { name: /Nora Near/ }).count()).toBe(0);
  await page.getByRole('button', { name: /^More for this day/ }).click();
  await page.getByRole('menuitemradio', { name: 'Everyone, one day' }).click();
  await visits.getByRole('button', { name: /Nora Near/ }).waitFor();
});

test('an employee’s home begins with their day, and a press opens a visit of it', async () => {
  test.skip(lateToday(), 'A whole visit no longer fits into today.');
  day.undo.push(await openToday(day.client, [day.mia]));
  const item = { serviceId: day.serviceId, employeeId: day.mia };
  const start = startOf(await firstOffer(day.client, [item], 0));
  const id = await bookedFor(day.client, 'Hedda Home', item, start);
  day.undo.push(() => cancelled(day.client, id));
  const page = await freshPage({ as: people.employee, width: 390 });
  await page.goto(`/${WILLOW}`);
  await inside(page);
  const parts = page.getByRole('main').getByRole('heading', { name: /^(My day|Next appointments)$/ });
  await expect(parts).toHaveText(['My day', 'Next appointments']);
  const visit = page
    .getByRole('list', { name: 'Your visits today' })
    .getByRole('button', { name: /Hedda Home/ });
  await visit.getByText(clockOf(start)).waitFor();
  await visit.click();
  const drawer = page.getByRole('dialog', { name: 'Hedda Home' });
  await drawer.getByText('Today').first().waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect(visit).toBeFocused();
});
