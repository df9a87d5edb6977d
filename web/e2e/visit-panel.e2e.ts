import type { Locator, Page } from '@playwright/test';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { CustomerNoteService } from '../src/gen/frontdesk/tenancy/v1/customer_note_pb';
import { inside } from './browser';
import { MIA, NOAH, SERVICE, useOwnDay } from './own-day';
import { cardOf, toast } from './quiet-day';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const FRIDAY = 5;
const day = useOwnDay(FRIDAY, 110);

const drawerOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

/** What every place that opens a visit has. */
async function isWhole(place: Locator): Promise<void> {
  for (const button of [
    'Move…',
    'Another stylist…',
    'Exact time…',
    'Services, notes…',
    'Book again…',
    'Cancel appointment',
  ])
    await place.getByRole('button', { name: button }).waitFor();
  await place.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Confirm' }).waitFor();
  await place.getByRole('list', { name: 'Services' }).getByText(SERVICE).waitFor();
  await place
    .getByRole('list', { name: 'History' })
    .getByText(/· You$/)
    .first()
    .waitFor();
}

async function customerIdOf(appointmentId: string): Promise<string> {
  const method = AppointmentService.method.getAppointment;
  const { appointment } = await day.client.call(method, { businessId: WILLOW, appointmentId });
  return appointment?.customerId ?? '';
}

test('what is pinned about a customer is read with their visit', async () => {
  const name = 'Pam Pinned';
  const id = await day.book(name, day.mia, '18:00');
  await day.client.call(CustomerNoteService.method.createCustomerNote, {
    businessId: WILLOW,
    customerId: await customerIdOf(id),
    text: 'Allergic to PPD',
    pinned: true,
  });
  const page = await day.page();
  await cardOf(page, name).click();
  const pinned = drawerOf(page, name).getByRole('list', { name: 'Pinned notes' });
  await pinned.getByText('Allergic to PPD').waitFor();
});

test('one panel opens from the day, the week, the search, the customer and its own page', async () => {
  const name = 'Pia Panel';
  const id = await day.book(name, day.mia, '10:00', '+447700900888');
  const page = await day.page();
  const drawer = drawerOf(page, name);
  const close = async () => {
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  };
  await cardOf(page, name).click();
  await isWhole(drawer);
  expect(await drawer.getByRole('link', { name: 'Show on the day' }).count()).toBe(0);
  await close();

  await page.goto(`/${WILLOW}/schedule?date=${day.date}&employee=${day.mia}`);
  await inside(page);
  await cardOf(page, name).first().click();
  await isWhole(drawer);
  await close();

  await page.goto(`/${WILLOW}/inbox`);
  await inside(page);
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: 'Search' });
  await search.getByRole('combobox').fill('0888');
  await search.getByRole('option', { name: new RegExp(`${name} · ${SERVICE}`, 's') }).click();
  await isWhole(drawer);
  expect(new URL(page.url()).pathname).toBe(`/${WILLOW}/inbox`);
  await close();
  expect(new URL(page.url()).search).toBe('');

  await page.goto(`/${WILLOW}/customers/${await customerIdOf(id)}`);
  await inside(page);
  await page.getByRole('list', { name: 'Upcoming' }).getByRole('link').click();
  await isWhole(drawer);
  await drawer.getByRole('link', { name: 'Show on the day' }).click();
  await page.waitForURL(`**/schedule?date=${day.date}&visit=${id}`);
  await cardOf(page, name, MIA).waitFor();
  await isWhole(drawer);

  await drawer.getByRole('link', { name: 'Open full page' }).click();
  await page.waitForURL(`**/appointments/${id}`);
  await isWhole(page.getByRole('main'));
});

test('a visit is given to a colleague and cancelled over the customer’s page, where it stays reachable', async () => {
  const name = 'Cora Cancelled';
  const id = await day.book(name, day.mia, '13:00');
  const page = await day.page({ as: people.owner }, `&visit=${id}`);
  await page.goto(`/${WILLOW}/customers/${await customerIdOf(id)}?visit=${id}`);
  await inside(page);
  const drawer = drawerOf(page, name);
  await drawer.getByRole('button', { name: 'Another stylist…' }).click();
  await page
    .getByRole('dialog', { name: 'Another stylist' })
    .getByRole('list', { name: 'Free colleagues' })
    .getByRole('button', { name: NOAH })
    .click();
  await toast(page)
    .getByText(/^Moved Cora Cancelled to .+, 13:00 with Noah Adeyemi\.$/)
    .waitFor();
  await drawer.getByText(`with ${NOAH}`, { exact: true }).waitFor();
  const history = drawer.getByRole('list', { name: 'History' });
  await history.getByText(/^Moved from Mia Larsen to Noah Adeyemi, still .+, 13:00$/).waitFor();

  await drawer.getByRole('button', { name: 'Cancel appointment' }).click();
  const asking = page.getByRole('dialog', { name: 'Cancel this appointment?' });
  await asking.getByLabel('Reason (optional)').fill('Is on holiday.');
  await asking.getByRole('button', { name: 'Cancel appointment' }).click();
  await drawer.getByRole('button', { name: 'Back to “Booked”' }).waitFor();
  expect(await drawer.getByRole('button', { name: 'Move…' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('list', { name: 'Cancelled' }).getByRole('link').click();
  await drawer.getByRole('list', { name: 'History' }).getByText('Cancelled').waitFor();
  await drawer.getByRole('button', { name: 'Back to “Booked”' }).click();
  await drawer.getByRole('button', { name: 'Move…' }).waitFor();
});

test('a visit is booked again with its customer, service and stylist', async () => {
  const name = 'Ravi Again';
  const id = await day.book(name, day.noah, '15:00');
  const page = await day.page();
  await cardOf(page, name).click();
  await drawerOf(page, name).getByRole('button', { name: 'Book again…' }).click();
  const booking = page.getByRole('dialog', { name: 'New booking' });
  await booking.getByText(name).first().waitFor();
  const chosen = (label: string) => booking.getByLabel(label, { exact: true });
  await until(async () => expect(await chosen('Service').inputValue()).toBe(day.serviceId));
  expect(await chosen('With').inputValue()).toBe(day.noah);
  await chosen('Day').fill(day.date);
  await booking.getByRole('list', { name: 'Free times' }).getByRole('button').first().click();
  await booking.getByRole('button', { name: 'Book', exact: true }).click();
  await toast(page)
    .getByText(/^Ravi Again is booked: /)
    .waitFor();
  const { appointments } = await day.client.call(AppointmentService.method.listCustomerAppointments, {
    businessId: WILLOW,
    customerId: await customerIdOf(id),
    upcoming: true,
  });
  expect(appointments.map(({ items }) => items[0]?.employeeName)).toEqual([NOAH, NOAH]);
  // The panel stands where it stood, and takes no shortcuts.
  await page.keyboard.press('Escape');
  await drawerOf(page, name).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await toast(page).getByText('Taken back. The time is free again.').waitFor();
});

test('a visit of a list at home opens over the list', async () => {
  const page = await day.page();
  await page.goto(`/${WILLOW}`);
  await inside(page);
  const link = page.locator(`a[href^="/${WILLOW}/appointments/"]`).first();
  const customer = (await link.textContent()) ?? '';
  await link.click();
  await drawerOf(page, customer).getByRole('list', { name: 'History' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/${WILLOW}`);
  await page.goBack();
  await drawerOf(page, customer).waitFor({ state: 'detached' });
});

test('a visit is offered other times than its own', async () => {
  await day.book('Olga Own', day.mia, '11:00');
  const page = await day.page();
  await cardOf(page, 'Olga Own').click();
  await drawerOf(page, 'Olga Own').getByRole('button', { name: 'Move…' }).click();
  const moving = page.getByRole('dialog', { name: 'Another time' });
  const free = moving.getByRole('list', { name: 'Free times' }).getByRole('button');
  await free.first().waitFor();
  // The same stylist first: anyone else is one press away.
  expect(await moving.getByRole('radio', { name: `Only ${MIA}`, checked: true }).count()).toBe(1);
  expect(await free.filter({ hasText: `with ${NOAH}` }).count()).toBe(0);
  await moving.getByLabel('Exact start').fill('11:00');
  await moving.getByText('The visit is booked for that time already.').waitFor();
  expect(await free.filter({ hasText: /^11:00 – .*with Mia Larsen/ }).count()).toBe(0);
});
