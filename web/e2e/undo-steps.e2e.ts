import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { inside } from './browser';
import { MIA, NOAH, SERVICE, useOwnDay } from './own-day';
import { cardOf, customerNamed, pickedUp, placeOf, toast } from './quiet-day';
import { cancelled } from './salon';
import { WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const TUESDAY = 2;
const day = useOwnDay(TUESDAY, 150);

test('a customer who joins and leaves the waitlist is taken back there, and off it again', async () => {
  const name = `Wilma Waits ${Date.now() % 1_000_000}`;
  await customerNamed(day.client, name);
  const page = await day.page();
  await page.goto(`/${WILLOW}/waitlist`);
  await inside(page);
  await page.getByRole('button', { name: 'Add to waitlist' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to the waitlist' });
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(name);
  await dialog.getByRole('option', { name: new RegExp(`^${name}`) }).click();
  await dialog.getByLabel('Service', { exact: true }).selectOption({ label: SERVICE });
  await dialog.getByRole('button', { name: 'Add to the list' }).click();
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
  await row.getByRole('button', { name: 'Take off' }).click();
  await page.getByRole('button', { name: 'Take off the list' }).click();
  await row.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+z');
  await toast(page).getByText(`${name} waits again, in the same place.`).waitFor();
  await row.waitFor();
  await page.keyboard.press('Control+z');
  await toast(page).getByText(`${name} is no longer on the waitlist.`).waitFor();
  await row.waitFor({ state: 'detached' });
});

test('three changes are taken back in a row, a cancellation among them, on any page', async () => {
  const id = await day.book('Una Undone', day.mia, '10:00');
  const other = await day.book('Carl Cancelled', day.noah, '15:00');
  const page = await day.page();
  await pickedUp(page, 'Una Undone');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await toast(page)
    .getByText(/^Moved Una Undone to .*10:00 with Noah Adeyemi\.$/)
    .waitFor();
  await pickedUp(page, 'Una Undone');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await toast(page)
    .getByText(/^Moved Una Undone to .*10:15 with Noah Adeyemi\.$/)
    .waitFor();

  await cardOf(page, 'Carl Cancelled').click();
  const drawer = page.getByRole('dialog', { name: 'Carl Cancelled' });
  await drawer.getByRole('button', { name: 'Cancel appointment' }).click();
  await page
    .getByRole('dialog', { name: 'Cancel this appointment?' })
    .getByRole('button', { name: 'Cancel appointment' })
    .click();
  await toast(page)
    .getByText(/^Cancelled: Carl Cancelled/)
    .waitFor();
  // Where it was cancelled.
  await page.keyboard.press('Control+z');
  await toast(page)
    .getByText(/^Carl Cancelled is booked again: .* with /)
    .waitFor();
  await drawer.getByRole('button', { name: 'Cancel appointment' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });

  await cardOf(page, 'Carl Cancelled', NOAH).waitFor();
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await toast(page)
    .getByText(/^Moved Una Undone back to .* with /)
    .waitFor();
  const origin = { employee: MIA, seconds: day.at('10:00').getTime() / 1000 };
  await until(async () => expect(await placeOf(day.client, id)).toEqual(origin));
  expect((await placeOf(day.client, other)).employee).toBe(NOAH);
  await page.keyboard.press('Control+z');
  await toast(page).getByText('Nothing to undo from the last ten minutes.').waitFor();
  expect(page.url()).toContain(WILLOW);
});

test('a change is taken back in the history of its visit, in a page that never made it', async () => {
  const id = await day.book('Hetty Hind', day.mia, '12:00');
  await day.client.call(AppointmentService.method.moveAppointment, {
    businessId: WILLOW,
    appointmentId: id,
    startsAt: timestampFromDate(day.at('13:00')),
  });
  const page = await day.page();
  await page.goto(`/${WILLOW}/appointments/${id}`);
  await inside(page);
  const history = page.getByRole('list', { name: 'History' });
  const moved = history
    .getByRole('listitem')
    .filter({ hasText: /Moved from .+, 12:00 to 13:00 with Mia Larsen/ });
  await moved.getByRole('button', { name: 'Undo' }).click();
  await toast(page).getByText('The visit of Hetty Hind is as it was before.').waitFor();
  const origin = { employee: MIA, seconds: day.at('12:00').getTime() / 1000 };
  await until(async () => expect(await placeOf(day.client, id)).toEqual(origin));
  await page.keyboard.press('Control+z');
  await toast(page).getByText('Nothing to undo from the last ten minutes.').waitFor();
});

test('a booking that a colleague confirmed since stays, and the toast says why', async () => {
  const name = `Bea Booked ${Date.now() % 1_000_000}`;
  await customerNamed(day.client, name);
  const page = await day.page();
  await page.getByRole('button', { name: 'New booking', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New booking' });
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(name);
  await dialog.getByRole('option', { name: new RegExp(`^${name}`) }).click();
  await dialog.getByLabel('Service', { exact: true }).selectOption({ label: SERVICE });
  await dialog.getByLabel('With', { exact: true }).selectOption({ label: MIA });
  await dialog.getByLabel('Exact start').fill('18:00');
  await dialog
    .getByRole('list', { name: 'Free times' })
    .getByRole('button', { name: /^18:00/ })
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Book', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await toast(page)
    .getByText(new RegExp(`^${name} is booked: .+, 18:00 with ${MIA}\\.$`))
    .waitFor();

  const { appointments } = await day.client.call(AppointmentService.method.listAppointments, {
    businessId: WILLOW,
    from: timestampFromDate(day.at('18:00')),
    to: timestampFromDate(day.at('18:15')),
  });
  const appointmentId = appointments.find(({ customerName }) => customerName === name)?.id ?? '';
  const { setAppointmentState, getAppointment } = AppointmentService.method;
  const state = AppointmentState.CONFIRMED;
  await day.client.call(setAppointmentState, { businessId: WILLOW, appointmentId, state });
  day.undo.push(() => cancelled(day.client, appointmentId));
  await page.keyboard.press('Control+z');
  await toast(page).getByText('Not undone. Something was changed again since.').waitFor();
  const { appointment } = await day.client.call(getAppointment, { businessId: WILLOW, appointmentId });
  expect(appointment?.state).toBe(state);
});
