import { timestampDate } from '@bufbuild/protobuf/wkt';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { AvailabilityService } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import { CatalogueService } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import { localText } from '../src/schedule-check/instant';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

/** A free time of this salon, as the search offers it. */
async function anOffer(client: RestClient) {
  const { services } = await client.call(CatalogueService.method.listServices, { businessId: WILLOW });
  const service = services.find(({ employeeIds }) => employeeIds.length > 0);
  const { offers, timeZone } = await client.call(AvailabilityService.method.searchAvailability, {
    businessId: WILLOW,
    items: [{ serviceId: service?.id ?? '' }],
    pageSize: 200,
  });
  const offer = offers.at(-1);
  const [item] = offer?.items ?? [];
  if (!service || !item || !offer?.startsAt) throw new Error('The demo business has no free time this week.');
  return { service, item, offer, at: localText(timestampDate(offer.startsAt), timeZone) };
}

test.describe('the schedule check', () => {
  test('reports a free time as free, and once it is booked names the appointment', async () => {
    const client = await RestClient.as(people.manager);
    const { service, item, offer, at } = await anOffer(client);
    const page = await freshPage({ as: people.admin });
    await page.goto('/admin/schedule-check-test');
    await inside(page);
    await page.getByRole('main').getByRole('link', { name: 'Willow & Co' }).click();
    const check = page.getByRole('button', { name: 'Check this time' });
    await check.click();
    await page.getByText('Choose a service.').waitFor();
    await page.getByLabel('Service 1', { exact: true }).selectOption({ label: service.name });
    await page.getByLabel('By whom (1)').selectOption({ label: item.employeeName });
    await page.getByLabel('Start', { exact: true }).fill(at);
    await check.click();
    await page.getByText('This time is free').waitFor();
    const rules = page.getByRole('list', { name: `Rules of ${item.employeeName}` });
    expect(await rules.getByRole('img', { name: 'Fails:' }).count()).toBe(0);
    const whole = page.getByRole('list', { name: 'Rules of the visit' });
    expect(await whole.getByRole('img', { name: 'Passes:' }).count()).toBe(6);

    const { appointment } = await client.call(AppointmentService.method.bookAppointment, {
      businessId: WILLOW,
      items: [{ serviceId: service.id, employeeId: item.employeeId }],
      ...(offer.startsAt ? { startsAt: offer.startsAt } : {}),
    });
    const appointmentId = appointment?.id ?? '';
    try {
      // The question stands in the address: the page as it is loaded anew answers it again.
      await page.reload();
      await page.getByText('This time can’t be booked').waitFor();
      const failing = rules.getByRole('listitem').filter({ hasText: 'Has no other visit' });
      await failing.getByRole('img', { name: 'Fails:' }).waitFor();
      await failing.getByRole('link', { name: 'See the appointment' }).click();
      await page.waitForURL(`**/${WILLOW}/appointments/${appointmentId}`);
    } finally {
      await client.call(AppointmentService.method.cancelAppointment, { businessId: WILLOW, appointmentId });
    }
  });

  test('reports a past time as too late, and an invalid time as invalid', async () => {
    const client = await RestClient.as(people.manager);
    const { service } = await anOffer(client);
    const page = await freshPage({ as: people.employee, width: 390 });
    await page.goto(`/${WILLOW}/schedule-check?item=${service.id}&at=2026-01-05T10:00`);
    await inside(page);
    await heading(page, 'The visit as a whole').waitFor();
    const passed = page.getByRole('listitem').filter({ hasText: 'Late enough: it has not passed' });
    await passed.getByRole('img', { name: 'Fails:' }).waitFor();
    await page.getByLabel('Start', { exact: true }).fill('2026-01-05T10:02');
    await page.getByRole('button', { name: 'Check this time' }).click();
    await page.getByText('Choose a time in steps of five minutes.').waitFor();
  });
});
