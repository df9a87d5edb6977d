import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { BookingPolicyService } from '../src/gen/frontdesk/scheduling/v1/booking_policy_pb';
import { CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { dayAfter, instantOf } from '../src/time/local';
import { weekdayOf } from '../src/time/local-day';
import { freshPage, inside } from './browser';
import { pickedUp } from './quiet-day';
import { RestClient } from './rest';
import { bookedAt, cancelled, dayOf, employeeNamed, LONDON, openOn, serviceNamed } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const MIA = 'Mia Larsen';
const SERVICE = "Men's cut";
/** Both changes of a clock lie within a year, and a little more where one was yesterday. */
const HORIZON_DAYS = 400;
const SUNDAY = 7;
/** An hour's height at the zoom a browser begins with. */
const HOUR_PX = 88;
const HOUR_MS = 3_600_000;

/** Days on which London's clock goes forward and back: the last Sundays of these months. */
const CHANGES = [
  { name: 'forward', month: 3, hours: 23 },
  { name: 'back', month: 10, hours: 25 },
] as const;

let client: RestClient;
let employeeId = '';
let serviceId = '';
const undo: (() => Promise<unknown>)[] = [];

test.beforeAll(async () => {
  client = await RestClient.as(people.owner);
  employeeId = await employeeNamed(client, MIA);
  serviceId = (await serviceNamed(client, SERVICE)).id;
  const { getBookingPolicy, updateBookingPolicy } = BookingPolicyService.method;
  const { policy } = await client.call(getBookingPolicy, { businessId: WILLOW });
  if (!policy) throw new Error('Every business has a booking policy.');
  const far = { ...policy, horizonDays: HORIZON_DAYS };
  await client.call(updateBookingPolicy, { businessId: WILLOW, policy: far });
  undo.push(() => client.call(updateBookingPolicy, { businessId: WILLOW, policy }));
});

test.afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** The next last Sunday of a month. */
function nextChange(month: number): string {
  let day = dayAfter(dayOf(new Date()), 1);
  while (
    Number(day.slice(5, 7)) !== month ||
    weekdayOf(day) !== SUNDAY ||
    dayAfter(day, 7).slice(5, 7) === day.slice(5, 7)
  )
    day = dayAfter(day, 1);
  return day;
}

async function book(name: string, start: Date): Promise<string> {
  const { customer } = await client.call(CustomerService.method.createCustomer, { businessId: WILLOW, name });
  const id = await bookedAt(client, [{ serviceId, employeeId }], start, customer?.id);
  undo.push(() => cancelled(client, id));
  return id;
}

async function startOf(appointmentId: string): Promise<number> {
  const { appointment } = await client.call(AppointmentService.method.getAppointment, {
    businessId: WILLOW,
    appointmentId,
  });
  return Number(appointment?.startsAt?.seconds) * 1000;
}

for (const { name, month, hours } of CHANGES) {
  test.describe(`a viewer in New York, on the day London’s clock goes ${name}`, () => {
    test('sees and moves visits by the salon’s clock', async () => {
      const day = nextChange(month);
      const [midnight, next] = [instantOf(day, 0, LONDON), instantOf(dayAfter(day, 1), 0, LONDON)];
      expect(next.getTime() - midnight.getTime()).toBe(hours * HOUR_MS);
      undo.push(await openOn(client, day, [employeeId]));
      const [early, late] = [`Early ${name}`, `Late ${name}`];
      // A quarter past midnight is before the change, nine is after it.
      await book(early, instantOf(day, 15, LONDON));
      const id = await book(late, instantOf(day, 9 * 60, LONDON));

      const page = await freshPage({ as: people.owner, zone: 'America/New_York' });
      await page.goto(`/${WILLOW}/schedule?date=${day}`);
      await inside(page);
      await page.getByText('Times in London').waitFor();
      const card = (customer: string) => page.getByRole('button', { name: new RegExp(`^${customer},`) });
      await page.getByRole('button', { name: new RegExp(`^${early}, 0?0:15 – 0?0:45`) }).waitFor();
      await page.getByRole('button', { name: new RegExp(`^${late}, 0?9:00 – 0?9:30`) }).waitFor();
      // Each hour of the wall clock is drawn once: there are nine less a quarter between them.
      const [first, second] = await Promise.all([card(early).boundingBox(), card(late).boundingBox()]);
      expect(Math.round((second?.y ?? 0) - (first?.y ?? 0))).toBe(8.75 * HOUR_PX);

      await pickedUp(page, late);
      await page.keyboard.press('ArrowDown');
      await page.getByText(new RegExp(`^0?9:15, ${MIA}`)).waitFor({ state: 'attached' });
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: new RegExp(`^${late}, 0?9:15 – 0?9:45`) }).waitFor();
      await page.getByText(new RegExp(`^Moved ${late} to `)).waitFor();
      expect(await startOf(id)).toBe(instantOf(day, 9 * 60 + 15, LONDON).getTime());
    });

    test('is asked for the salon’s day, and for no other', async () => {
      const day = nextChange(month);
      const page = await freshPage({ as: people.owner, zone: 'America/New_York' });
      const asked = page.waitForRequest((request) => request.url().includes(`/${WILLOW}/days?`));
      await page.goto(`/${WILLOW}/schedule?date=${day}`);
      const search = new URL((await asked).url()).searchParams;
      expect([search.get('firstDate'), search.get('lastDate')]).toEqual([day, day]);
      await inside(page);
    });
  });
}
