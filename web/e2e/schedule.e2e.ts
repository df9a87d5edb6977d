import type { Page } from '@playwright/test';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { CatalogueService } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import { EmployeeService } from '../src/gen/frontdesk/tenancy/v1/employee_pb';
import { dayAfter } from '../src/time/local';
import { freshPage, heading, inside } from './browser';
import {
  bookedFor,
  cardOf,
  carried,
  carriedOver,
  clockOn,
  column,
  pickedUp,
  placeOf,
  quietDay,
  toast,
} from './quiet-day';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const THURSDAY = 4;
/** At the zoom that the day begins with. */
const HOUR_PX = 88;
const SERVICE = "Men's cut";

/** On Thursdays these three work; Sofia does not cut men's hair. */
const [MIA, NOAH, SOFIA] = ['Mia Larsen', 'Noah Adeyemi', 'Sofia Marino'];

let owner: RestClient;
let day: string;
let serviceId: string;
const employeeIds = new Map<string, string>();
const booked: string[] = [];

test.beforeAll(async () => {
  owner = await RestClient.as(people.owner);
  const { employees } = await owner.call(EmployeeService.method.listEmployees, { businessId: WILLOW });
  for (const { id, name } of employees) employeeIds.set(name, id);
  const { services } = await owner.call(CatalogueService.method.listServices, { businessId: WILLOW });
  serviceId = services.find(({ name }) => name === SERVICE)?.id ?? '';
  day = await quietDay(owner, THURSDAY, 35);
});

test.afterAll(async () => {
  for (const appointmentId of booked)
    await owner.call(AppointmentService.method.cancelAppointment, { businessId: WILLOW, appointmentId });
});

const at = (clock: string) => clockOn(day, clock);

/** A visit of a customer with a name of their own. */
async function book(name: string, employee: string, clock: string): Promise<string> {
  const item = { serviceId, employeeId: employeeIds.get(employee) ?? '' };
  const id = await bookedFor(owner, name, item, at(clock));
  booked.push(id);
  return id;
}

async function atDay(visit: Parameters<typeof freshPage>[0] = {}): Promise<Page> {
  const page = await freshPage({ as: people.owner, ...visit });
  await page.goto(`/${WILLOW}/schedule?date=${day}`);
  await inside(page);
  return page;
}

test.describe('the day', () => {
  test('shows a visit in its employee’s column, and one that is booked meanwhile', async () => {
    await book('Ada First', MIA, '10:00');
    const page = await atDay();
    const name = `Ada First, 10:00 – 10:30, ${SERVICE}, with ${MIA}, Booked`;
    await column(page, MIA).getByRole('button', { name, exact: true }).waitFor();
    await book('Bea Later', NOAH, '11:00');
    await cardOf(page, 'Bea Later', NOAH).waitFor();
  });

  test('goes from day to day by buttons and keys, and says so in the address', async () => {
    const page = await atDay();
    await page.getByRole('button', { name: 'Next day' }).click();
    await until(() => expect(new URL(page.url()).searchParams.get('date')).toBe(dayAfter(day, 1)));
    await page.keyboard.press('k');
    await until(() => expect(new URL(page.url()).searchParams.get('date')).toBe(day));
    await page.getByLabel('Date', { exact: true }).fill(dayAfter(day, 7));
    await until(() => expect(new URL(page.url()).searchParams.get('date')).toBe(dayAfter(day, 7)));
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('t');
    await until(() => expect(new URL(page.url()).searchParams.get('date')).toBeNull());
  });

  test('shows one employee’s week, a column a day', async () => {
    await book('Cem Week', MIA, '15:00');
    const page = await atDay();
    await page.getByRole('link', { name: MIA }).click();
    const week = page.getByRole('region', { name: `${MIA}’s week` });
    await week.getByRole('button', { name: /^Cem Week,/ }).waitFor();
    expect(await week.getByRole('group').count()).toBe(7);
    expect(await column(page, NOAH).count()).toBe(0);
  });

  test('begins a booking where free time is pressed, with whose time it is', async () => {
    await book('Eve Beside', NOAH, '10:30');
    const page = await atDay();
    const beside = cardOf(page, 'Eve Beside', NOAH);
    await beside.scrollIntoViewIfNeeded();
    const [card, free] = await Promise.all([beside.boundingBox(), column(page, MIA).boundingBox()]);
    if (!card || !free) throw new Error('Neither is on the screen.');
    await column(page, MIA).click({ position: { x: free.width / 2, y: card.y - free.y + 4 } });
    const dialog = page.getByRole('dialog', { name: 'New booking' });
    expect(await dialog.getByLabel('Exact start').inputValue()).toBe('10:30');
    expect(await dialog.getByLabel('Day', { exact: true }).inputValue()).toBe(day);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('is a list by time on a phone', async () => {
    await book('Dee Phone', MIA, '16:00');
    const page = await atDay({ width: 390 });
    const row = page.getByRole('listitem').filter({ hasText: 'Dee Phone' });
    await row.waitFor();
    expect(await row.innerText()).toContain(MIA);
    expect(await column(page, MIA).count()).toBe(0);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wider).toBe(false);
  });

  test('shows the salon’s times to a viewer elsewhere, and says so', async () => {
    await book('Eli Abroad', NOAH, '15:30');
    const page = await atDay({ zone: 'America/New_York' });
    await page.getByText('Times in London').waitFor();
    await page.getByRole('button', { name: /^Eli Abroad, 15:30 – 16:00/ }).waitFor();
  });

  test('is not for guests, and an administrator chooses the business first', async () => {
    const guest = await freshPage({ as: people.guest });
    await guest.goto(`/${WILLOW}/schedule`);
    await heading(guest, 'Access Restricted').waitFor();
    const navigation = guest.getByRole('navigation', { name: 'Main' });
    expect(await navigation.getByRole('link', { name: 'Schedule' }).count()).toBe(0);
    const admin = await freshPage({ as: people.admin });
    await admin.goto('/admin/salon-scheduling');
    await admin.getByRole('link', { name: 'Willow & Co' }).click();
    await column(admin, MIA).waitFor();
    expect(new URL(admin.url()).pathname).toBe(`/admin/salon-scheduling/${WILLOW}`);
  });
});

test.describe('a visit', () => {
  test('moves on in one press, seen in a second browser', async () => {
    await book('Fay State', MIA, '11:00');
    const [here, there] = [await atDay(), await atDay({ as: people.employee })];
    await cardOf(there, 'Fay State', MIA).waitFor();
    await cardOf(here, 'Fay State', MIA).focus();
    await here.keyboard.press('Enter');
    const drawer = here.getByRole('dialog', { name: 'Fay State' });
    await drawer.getByRole('button', { name: 'Confirm' }).click();
    await there.getByRole('button', { name: /^Fay State,.*Confirmed$/ }).waitFor();
    await drawer.getByRole('button', { name: 'Back to “Booked”' }).click();
    await there.getByRole('button', { name: /^Fay State,.*Booked$/ }).waitFor();
    await here.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await until(async () =>
      expect(await here.evaluate(() => document.activeElement?.textContent)).toMatch(/^Fay State,/),
    );
  });

  test('moves by a form, which shows a refusal', async () => {
    await book('Gus Other', NOAH, '12:00');
    const id = await book('Gus Form', NOAH, '13:00');
    const page = await atDay();
    await cardOf(page, 'Gus Form').click();
    const drawer = page.getByRole('dialog', { name: 'Gus Form' });
    await drawer.getByRole('button', { name: 'Exact time…' }).click();
    await drawer.getByLabel('Time').fill('12:00');
    await drawer.getByRole('button', { name: 'Move', exact: true }).click();
    await drawer.getByText(/is with another customer until /).waitFor();
    await drawer.getByLabel(`${SERVICE} with`).selectOption({ label: MIA });
    await drawer.getByRole('button', { name: 'Move', exact: true }).click();
    await drawer.waitFor({ state: 'hidden' });
    await cardOf(page, 'Gus Form', MIA).waitFor();
    expect(await placeOf(owner, id)).toEqual({ employee: MIA, seconds: at('12:00').getTime() / 1000 });
  });
});

test.describe('moving by keyboard', () => {
  test('to an employee without the skill is refused with the reason, to one with it is done', async () => {
    const id = await book('Hal Skill', NOAH, '14:00');
    const page = await atDay();
    await pickedUp(page, 'Hal Skill');
    await carriedOver(page, NOAH, SOFIA);
    await page.getByText(`14:00, ${SOFIA}. ${SOFIA} does not do ${SERVICE}.`).waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await toast(page)
      .getByText(new RegExp(`^Not moved\\. .*${SOFIA}`))
      .waitFor();
    await cardOf(page, 'Hal Skill', NOAH).waitFor();
    expect((await placeOf(owner, id)).employee).toBe(NOAH);

    await pickedUp(page, 'Hal Skill');
    await carriedOver(page, NOAH, MIA);
    await page.keyboard.press('Space');
    await toast(page)
      .getByText(/^Moved Hal Skill to /)
      .waitFor();
    await cardOf(page, 'Hal Skill', MIA).waitFor();
    expect((await placeOf(owner, id)).employee).toBe(MIA);
    // The card is another element after the drop, which has the focus.
    await until(async () =>
      expect(await cardOf(page, 'Hal Skill', MIA).evaluate((card) => card === document.activeElement)).toBe(
        true,
      ),
    );

    await page.keyboard.press('Control+z');
    await toast(page)
      .getByText(/^Moved Hal Skill back to .* with /)
      .waitFor();
    await cardOf(page, 'Hal Skill', NOAH).waitFor();
    expect((await placeOf(owner, id)).employee).toBe(NOAH);
  });

  test('goes back when the time was taken meanwhile', async () => {
    const id = await book('Ida Slow', NOAH, '16:30');
    const page = await atDay();
    await pickedUp(page, 'Ida Slow');
    await carriedOver(page, NOAH, MIA);
    await book('Jo Fast', MIA, '16:30');
    await page.keyboard.press('Space');
    await toast(page)
      .getByText(/^Not moved\. .+ is with another customer until /)
      .waitFor();
    await cardOf(page, 'Ida Slow', NOAH).waitFor();
    await cardOf(page, 'Jo Fast', MIA).waitFor();
    expect((await placeOf(owner, id)).employee).toBe(NOAH);
  });
});

test('a card is moved again from where it landed', async () => {
  const id = await book('Lea Twice', MIA, '9:00');
  const page = await atDay();
  await pickedUp(page, 'Lea Twice');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await toast(page)
    .getByText(/^Moved Lea Twice to /)
    .waitFor();
  const step = (await placeOf(owner, id)).seconds - at('9:00').getTime() / 1000;
  expect(step).toBeGreaterThan(0);
  // The card still has the focus, so no focus event holds it again.
  await pickedUp(page, 'Lea Twice');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await until(async () =>
    expect((await placeOf(owner, id)).seconds).toBe(at('9:00').getTime() / 1000 + 2 * step),
  );
});

test('a long press on a card drags it, and a swipe scrolls', async () => {
  const id = await book('Max Finger', NOAH, '17:00');
  const page = await atDay({ touch: true });
  const card = cardOf(page, 'Max Finger');
  await card.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const box = await card.boundingBox();
  if (!box) throw new Error('The card is not on the screen.');
  const devtools = await page.context().newCDPSession(page);
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', down = 0) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + 30, y: box.y + 10 + down }],
    });
  await finger('touchStart');
  await page.getByText('Picked up Max Finger.').waitFor({ state: 'attached' });
  for (const part of [0.25, 0.5, 0.75, 1]) await finger('touchMove', (part * HOUR_PX) / 2);
  await finger('touchEnd');
  await toast(page)
    .getByText(/^Moved Max Finger to /)
    .waitFor();
  expect((await placeOf(owner, id)).seconds).toBe(at('17:30').getTime() / 1000);

  const scrolled = () => card.evaluate((element) => element.closest('section')?.scrollTop ?? 0);
  const before = await scrolled();
  await finger('touchStart', HOUR_PX / 2);
  for (const part of [0.25, 0.5, 0.75, 1]) await finger('touchMove', HOUR_PX / 2 + part * HOUR_PX);
  await until(async () => expect(await scrolled()).toBeLessThan(before));
  expect(await page.locator('[data-dragged]').count()).toBe(0);
  await finger('touchEnd');
  expect((await placeOf(owner, id)).seconds).toBe(at('17:30').getTime() / 1000);
});

test('a visit that changes while it is dragged is moved in its new form', async () => {
  const id = await book('Nia Changed', NOAH, '14:30');
  const page = await atDay();
  await pickedUp(page, 'Nia Changed');
  await page.keyboard.press('ArrowDown');
  await owner.call(AppointmentService.method.setAppointmentState, {
    businessId: WILLOW,
    appointmentId: id,
    state: AppointmentState.CONFIRMED,
  });
  await page.getByRole('button', { name: /^Nia Changed,.*Confirmed$/ }).waitFor();
  await page.keyboard.press('Space');
  await toast(page)
    .getByText(/^Moved Nia Changed to /)
    .waitFor();
  expect((await placeOf(owner, id)).seconds).toBeGreaterThan(at('14:30').getTime() / 1000);
});

test('a card is dragged to another time', async () => {
  const id = await book('Kit Drag', MIA, '13:00');
  const page = await atDay();
  await carried(page, cardOf(page, 'Kit Drag'), { x: 0, y: HOUR_PX });
  await page.mouse.up();
  await page.getByRole('button', { name: /^Kit Drag, 14:00/ }).waitFor();
  await toast(page)
    .getByText(/^Moved Kit Drag to /)
    .waitFor();
  expect((await placeOf(owner, id)).seconds).toBe(at('14:00').getTime() / 1000);
});

test('a visit is made longer or shorter by its lower edge or its form, and never overlaps another visit', async () => {
  await book('Lou Next', NOAH, '13:30');
  const id = await book('Lou Length', NOAH, '12:30');
  const page = await atDay();
  const drawn = async (pixels: number) => {
    await cardOf(page, 'Lou Length').evaluate((card) => card.scrollIntoView({ block: 'center' }));
    const box = await cardOf(page, 'Lou Length').boundingBox();
    if (!box) throw new Error('The card is not on the screen.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height - 3];
    await page.mouse.move(x, y - 10);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + pixels, { steps: 5 });
    await page.mouse.up();
  };
  const from = at('12:30').getTime() / 1000;
  await drawn(HOUR_PX / 4);
  await toast(page).getByText('Lou Length is 15 minutes longer.').waitFor();
  await page.getByRole('button', { name: /^Lou Length, 12:30 – 13:15/ }).waitFor();
  await drawn(HOUR_PX / 2);
  await toast(page)
    .getByText(/^Not moved\. .+ is with another customer until /)
    .waitFor();
  await page.getByRole('button', { name: /^Lou Length, 12:30 – 13:15/ }).waitFor();

  await cardOf(page, 'Lou Length').click();
  const drawer = page.getByRole('dialog', { name: 'Lou Length' });
  await drawer.getByRole('button', { name: 'Exact time…' }).click();
  const minutes = drawer.getByLabel(`Minutes of ${SERVICE}`);
  expect(await minutes.inputValue()).toBe('45');
  await minutes.fill('22');
  await drawer.getByRole('button', { name: 'Move', exact: true }).click();
  await drawer.getByText('A multiple of five.').waitFor();
  await minutes.fill('20');
  await drawer.getByRole('button', { name: 'Move', exact: true }).click();
  await toast(page).getByText('Lou Length is 25 minutes shorter.').waitFor();
  await page.getByRole('button', { name: /^Lou Length, 12:30 – 12:50/ }).waitFor();
  await page.keyboard.press('Control+z');
  await toast(page).getByText('The visit of Lou Length is as it was before.').waitFor();
  await page.getByRole('button', { name: /^Lou Length, 12:30 – 13:15/ }).waitFor();
  expect((await placeOf(owner, id)).seconds).toBe(from);
});
