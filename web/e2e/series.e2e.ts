import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { Cadence, SeriesService } from '../src/gen/frontdesk/scheduling/v1/series_pb';
import { barriers } from './barriers';
import { MIA, useOwnDay } from './own-day';
import { cardOf, column, customerNamed, pickedUp, toast } from './quiet-day';
import { clockOf } from './salon';
import { WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const THURSDAY = 4;
const WEEKS = 4;
const { BOOKED, CANCELLED } = AppointmentState;
const day = useOwnDay(THURSDAY, 90);

/** Four visits with Mia, a week apart. */
async function series(customer: string, clock: string): Promise<string> {
  const { bookSeries, cancelRestOfSeries } = SeriesService.method;
  const answer = await day.client.call(bookSeries, {
    businessId: WILLOW,
    items: [{ serviceId: day.serviceId, employeeId: day.mia }],
    startsAt: timestampFromDate(day.at(clock)),
    recurrence: { cadence: Cadence.WEEKLY, every: 1, count: WEEKS },
    customerId: await customerNamed(day.client, customer),
  });
  const seriesId = answer.series?.id ?? '';
  const fromAppointmentId = answer.series?.appointments[0]?.id ?? '';
  day.undo.push(() =>
    day.client.call(cancelRestOfSeries, { businessId: WILLOW, seriesId, fromAppointmentId }),
  );
  return seriesId;
}

/** Where each visit of a series stands, as "11:00" and its state. */
async function visitsOf(seriesId: string): Promise<[string, AppointmentState][]> {
  const answer = await day.client.call(SeriesService.method.getSeries, { businessId: WILLOW, seriesId });
  return (answer.series?.appointments ?? []).map(({ startsAt, state }) => [
    clockOf(new Date(Number(startsAt?.seconds) * 1000)),
    state,
  ]);
}

const all = (clock: string, state: AppointmentState) => Array.from({ length: WEEKS }, () => [clock, state]);

test('a move asks which visits of the series are meant, moves them together, and takes all of them back', async () => {
  const id = await series('Rita Regular', '11:00');
  const page = await day.page();
  await pickedUp(page, 'Rita Regular');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  const asking = page.getByRole('dialog', { name: 'Change the series?' });
  await asking.getByText(/^This and all following: 4 visits, until \d+ \w+ \d{4}$/).click();
  expect(await barriers(page)).toEqual([]);
  await asking.getByRole('button', { name: 'Change', exact: true }).click();
  await toast(page)
    .getByText(/^Changed 4 visits of Rita Regular, until /)
    .waitFor();
  expect(await visitsOf(id)).toEqual(all('11:15', BOOKED));
  await page.keyboard.press('Control+z');
  await toast(page).getByText('The visits of Rita Regular are back where they were.').waitFor();
  expect(await visitsOf(id)).toEqual(all('11:00', BOOKED));

  // Nothing is moved before it is said what is meant.
  await pickedUp(page, 'Rita Regular');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await asking.getByRole('button', { name: 'Change nothing' }).click();
  await column(page, MIA)
    .getByRole('button', { name: /^Rita Regular, 11:00 –/ })
    .waitFor();
  expect(await visitsOf(id)).toEqual(all('11:00', BOOKED));
  await pickedUp(page, 'Rita Regular');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await asking.getByRole('button', { name: 'Change', exact: true }).click();
  await toast(page)
    .getByText(/^Moved Rita Regular to .*11:15 with Mia Larsen\.$/)
    .waitFor();
  expect(await visitsOf(id)).toEqual([['11:15', BOOKED], ...all('11:00', BOOKED).slice(1)]);
});

test('a cancellation says how many and until when, and its undo books all of them again', async () => {
  const id = await series('Sam Several', '14:00');
  const page = await day.page();
  await cardOf(page, 'Sam Several').click();
  const drawer = page.getByRole('dialog', { name: 'Sam Several' });
  await drawer.getByRole('button', { name: 'Cancel appointment' }).click();
  const asking = page.getByRole('dialog', { name: /^Cancel th(is|ese) appointments?\?$/ });
  await asking.getByText(/^This and all following: 4 visits, until /).click();
  await asking.getByRole('button', { name: 'Cancel 4 appointments' }).click();
  await toast(page)
    .getByText(/^Cancelled 4 visits of Sam Several, until .+\.$/)
    .waitFor();
  expect(await visitsOf(id)).toEqual(all('14:00', CANCELLED));
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+z');
  await toast(page).getByText('The visits of Sam Several are booked again.').waitFor();
  await until(async () => expect(await visitsOf(id)).toEqual(all('14:00', BOOKED)));
});

test('a visit goes to the waitlist with those that follow it, and all of it is taken back', async () => {
  const id = await series('Wim Waits', '16:00');
  const page = await day.page();
  await cardOf(page, 'Wim Waits').click();
  const drawer = page.getByRole('dialog', { name: 'Wim Waits' });
  await drawer.getByRole('button', { name: 'To the waitlist…' }).click();
  const waiting = page.getByRole('dialog', { name: 'Put on the waitlist' });
  await waiting.getByText(/^This and all following: 4 visits, until /).click();
  await waiting.getByRole('button', { name: 'Put on the waitlist' }).click();
  await toast(page)
    .getByText(/^Wim Waits is on the waitlist: .+\. Cancelled 4 visits, .+, 16:00 with .+ among them\.$/)
    .waitFor();
  expect(await visitsOf(id)).toEqual(all('16:00', CANCELLED));
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+z');
  await toast(page).getByText('Wim Waits is booked again and no longer on the waitlist.').waitFor();
  await until(async () => expect(await visitsOf(id)).toEqual(all('16:00', BOOKED)));
});
