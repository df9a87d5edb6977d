import type { Page } from '@playwright/test';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { EmployeeWish } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import { MIA, NOAH, SERVICE, useOwnDay } from './own-day';
import { bookedFor, cardOf, carried, column, pickedUp, toast } from './quiet-day';
import { cancelled } from './salon';
import { WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const MONDAY = 1;
const day = useOwnDay(MONDAY, 170);

/** A visit of a customer who wants Mia and no one else. */
async function lockedVisit(name: string, clock: string): Promise<string> {
  const item = { serviceId: day.serviceId, employeeId: day.mia, employeeOnly: true };
  const id = await bookedFor(day.client, name, item, day.at(clock));
  day.undo.push(() => cancelled(day.client, id));
  return id;
}

async function itemOf(appointmentId: string) {
  const method = AppointmentService.method.getAppointment;
  const { appointment } = await day.client.call(method, { businessId: WILLOW, appointmentId });
  const [item] = appointment?.items ?? [];
  if (!item) throw new Error('There is no such visit.');
  return item;
}

/** Drags a card into the column of another employee. */
async function dragAcross(page: Page, customer: string, from: string, to: string): Promise<void> {
  // Away from the edges: there a card scrolls the day on.
  await column(page, to).evaluate((element) =>
    element.scrollIntoView({ block: 'nearest', inline: 'center' }),
  );
  const [one, other] = await Promise.all([column(page, from).boundingBox(), column(page, to).boundingBox()]);
  if (!one || !other) throw new Error('A column is not on the screen.');
  await carried(page, cardOf(page, customer, from), { x: other.x - one.x, y: 0 });
  await page.mouse.up();
}

test('a stylist-only visit dragged to another asks first, and its undo is a lock again', async () => {
  const id = await lockedVisit('Sol Only', '10:00');
  const page = await day.page();
  await page.getByRole('button', { name: /^Sol Only,.* only Mia Larsen/ }).waitFor();

  await dragAcross(page, 'Sol Only', MIA, NOAH);
  const asking = page.getByRole('dialog', { name: 'Move away from Mia Larsen?' });
  await asking.getByText(/^Sol Only asked for Mia Larsen and no one else\./).waitFor();
  await asking.getByText(/Noah Adeyemi only if the customer agreed\.$/).waitFor();
  await asking.getByRole('button', { name: 'Leave with Mia Larsen' }).click();
  await asking.waitFor({ state: 'detached' });
  await cardOf(page, 'Sol Only', MIA).waitFor();
  expect((await itemOf(id)).employeeName).toBe(MIA);

  await dragAcross(page, 'Sol Only', MIA, NOAH);
  await asking.getByRole('button', { name: 'The customer agreed' }).click();
  await toast(page)
    .getByText(/^Moved Sol Only to .* with Noah Adeyemi\.$/)
    .waitFor();
  await cardOf(page, 'Sol Only', NOAH).waitFor();
  expect(await itemOf(id)).toMatchObject({ employeeName: NOAH, employeeWish: EmployeeWish.ONLY });
  await cardOf(page, 'Sol Only', NOAH).click();
  const drawer = page.getByRole('dialog', { name: 'Sol Only' });
  await drawer.getByText('Stylist: asked for only Mia Larsen').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });

  await page.keyboard.press('Control+z');
  await toast(page)
    .getByText(/^Moved Sol Only back to .* with /)
    .waitFor();
  await page.getByRole('button', { name: /^Sol Only,.* only Mia Larsen/ }).waitFor();
  await until(async () => expect((await itemOf(id)).employeeName).toBe(MIA));
});

test('a stylist-only visit keeps its stylist at another time, and nothing is asked', async () => {
  const id = await lockedVisit('Tia Time', '13:00');
  await day.book('Max Mia', day.mia, '18:00');
  const page = await day.page();
  await pickedUp(page, 'Tia Time');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await toast(page)
    .getByText(/^Moved Tia Time to .* with Mia Larsen\.$/)
    .waitFor();
  await cardOf(page, 'Tia Time').click();
  const drawer = page.getByRole('dialog', { name: 'Tia Time' });
  await drawer.getByText('Stylist: only Mia Larsen').waitFor();

  await drawer.getByRole('button', { name: 'Move…' }).click();
  const moving = page.getByRole('dialog', { name: 'Another time' });
  await moving.getByText('Tia Time asked for Mia Larsen and no one else.').waitFor();
  const free = moving.getByRole('list', { name: 'Free times' }).getByRole('button');
  await free.first().waitFor();
  expect(await free.filter({ hasText: 'with Noah Adeyemi' }).count()).toBe(0);
  await moving.getByText('Anyone', { exact: true }).click();
  // Mia has a visit then.
  await moving.getByLabel('Exact start').fill('18:00');
  await free.filter({ hasText: 'with Noah Adeyemi' }).first().click();
  const asking = page.getByRole('dialog', { name: 'Move away from Mia Larsen?' });
  await asking.getByRole('button', { name: 'Leave with Mia Larsen' }).click();
  await asking.waitFor({ state: 'detached' });
  expect(await itemOf(id)).toMatchObject({ employeeName: MIA, employeeWish: EmployeeWish.ONLY });
});

test('the booking dialog says whether the customer prefers a stylist, wants no one else, or takes any', async () => {
  const page = await day.page();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New booking' });
  await dialog.getByLabel('Service', { exact: true }).selectOption({ label: SERVICE });
  await dialog.getByLabel('With', { exact: true }).selectOption({ label: MIA });
  expect(await dialog.getByRole('radio', { name: `Prefers ${MIA}` }).isChecked()).toBe(true);
  await dialog.getByText(`Only ${MIA}`, { exact: true }).click();
  await dialog.getByLabel('Exact start').fill('16:00');
  await dialog
    .getByRole('list', { name: 'Free times' })
    .getByRole('button', { name: /^16:00/ })
    .click();
  await dialog.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByRole('button', { name: /^Walk-in, 16:00.* only Mia Larsen/ }).waitFor();
  await page.keyboard.press('Control+z');
  await toast(page).getByText('Taken back. The time is free again.').waitFor();
});
