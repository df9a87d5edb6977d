import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Locator, Page } from '@playwright/test';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { dayAfter, instantOf } from '../src/time/local';
import { weekdayOf } from '../src/time/local-day';
import type { RestClient } from './rest';
import { bookedAt, dayOf, LONDON, type Wanted } from './salon';
import { WILLOW } from './stack';

/** The first such weekday at least `daysAhead` days from now without a booking. */
export async function quietDay(client: RestClient, weekday: number, daysAhead: number): Promise<string> {
  let candidate = dayAfter(dayOf(new Date()), daysAhead);
  while (weekdayOf(candidate) !== weekday) candidate = dayAfter(candidate, 1);
  for (; ; candidate = dayAfter(candidate, 7)) {
    const { appointments } = await client.call(AppointmentService.method.listAppointments, {
      businessId: WILLOW,
      from: timestampFromDate(instantOf(candidate, 0, LONDON)),
      to: timestampFromDate(instantOf(dayAfter(candidate, 1), 0, LONDON)),
    });
    if (appointments.every(({ state }) => state === AppointmentState.CANCELLED)) return candidate;
  }
}

/** When the salon's clock shows that. */
export function clockOn(day: string, clock: string): Date {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return instantOf(day, hours * 60 + minutes, LONDON);
}

/** A customer with a name of their own. */
export async function customerNamed(client: RestClient, name: string, phone = ''): Promise<string> {
  const { customer } = await client.call(CustomerService.method.createCustomer, {
    businessId: WILLOW,
    name,
    ...(phone ? { phone } : {}),
  });
  return customer?.id ?? '';
}

/** A visit of such a customer. */
export async function bookedFor(
  client: RestClient,
  name: string,
  item: Wanted,
  start: Date,
  phone = '',
): Promise<string> {
  return bookedAt(client, [item], start, await customerNamed(client, name, phone));
}

/** Where the door says a visit is. */
export async function placeOf(client: RestClient, appointmentId: string) {
  const { appointment } = await client.call(AppointmentService.method.getAppointment, {
    businessId: WILLOW,
    appointmentId,
  });
  return { employee: appointment?.items[0]?.employeeName, seconds: Number(appointment?.startsAt?.seconds) };
}

export const column = (page: Page, employee: string) =>
  page.getByRole('group', { name: employee, exact: true });

export const cardOf = (page: Page, customer: string, employee?: string) =>
  (employee ? column(page, employee) : page).getByRole('button', { name: new RegExp(`^${customer},`) });

export const toast = (page: Page) => page.getByRole('region', { name: 'Notifications', exact: true });

/** Picks a card up with the keyboard, so that the next arrow carries it. */
export async function pickedUp(page: Page, customer: string): Promise<void> {
  await cardOf(page, customer).focus();
  await page.keyboard.press('Space');
  await page.getByText(`Picked up ${customer}.`).waitFor({ state: 'attached' });
  // It says so a turn before it listens for arrows.
  await page.evaluate(() => new Promise((turn) => setTimeout(turn)));
}

/** Takes a picked-up card from one employee's column to another's: others may have joined the team between them. */
export async function carriedOver(page: Page, from: string, to: string): Promise<void> {
  const names = await page
    .getByRole('group')
    .evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label')));
  const aside = names.indexOf(to) - names.indexOf(from);
  for (let step = 0; step < Math.abs(aside); step += 1)
    await page.keyboard.press(aside > 0 ? 'ArrowRight' : 'ArrowLeft');
}

/** Presses the mouse on a card and takes it somewhere; it stays pressed. */
export async function carried(page: Page, card: Locator, by: { x: number; y: number }): Promise<void> {
  // In the middle: a card that comes near an edge scrolls the day on.
  await card.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const box = await card.boundingBox();
  if (!box) throw new Error('The card is not on the screen.');
  const [x, y] = [box.x + 30, box.y + 10];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by.x / 2, y + by.y / 2, { steps: 4 });
  await page.mouse.move(x + by.x, y + by.y, { steps: 4 });
}
