import { AppointmentSyncService, SyncState } from '../src/gen/frontdesk/calendarsync/v1/appointment_sync_pb';
import { CalendarKind } from '../src/gen/frontdesk/calendarsync/v1/calendar_pb';
import { ProviderConnectionService } from '../src/gen/frontdesk/calendarsync/v1/provider_pb';
import { DayService, DayUnavailableReason } from '../src/gen/frontdesk/scheduling/v1/day_pb';
import { dayAfter } from '../src/time/local';
import { BookingSystem } from './booking-system';
import { freshPage, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const system = new BookingSystem();

/** How the events that are not in step in the booking system are. */
async function unsettled(owner: RestClient): Promise<SyncState[]> {
  const { appointments } = await owner.call(AppointmentSyncService.method.listAppointmentSync, {
    businessId: WILLOW,
    pageSize: 200,
    needsLook: true,
  });
  const events = appointments.flatMap((appointment) => appointment.events);
  const there = events.filter(({ kind }) => kind === CalendarKind.PROVIDER).map(({ state }) => state);
  return there.filter((state) => state !== SyncState.WRITTEN && state !== SyncState.REMOVED);
}

test.describe('a booking system', () => {
  test.afterEach(async () => system.leave(await RestClient.as(people.owner)));

  test('is connected with a token that is tested, replaced and never shown again', async () => {
    await system.leave(await RestClient.as(people.owner));
    const token = await system.token();
    const page = await freshPage({ as: people.admin });
    await page.goto(`/admin/provider-credentials/${WILLOW}`);
    await inside(page);
    await page.getByText('No booking system is connected').waitFor();
    await page.getByRole('button', { name: 'Connect a booking system' }).click();
    const connecting = page.getByRole('dialog', { name: 'Connect a booking system' });
    await connecting.getByLabel('Booking system', { exact: true }).selectOption('Demo booking system');
    await connecting.getByLabel('Token', { exact: true }).fill('not the token');
    await connecting.getByRole('button', { name: 'Connect', exact: true }).click();
    await connecting.getByText('refused by the booking system').waitFor();
    await connecting.getByLabel('Name', { exact: true }).fill('Salon book');
    await connecting.getByLabel('Token', { exact: true }).fill(token);
    await connecting.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Salon book' }).waitFor();

    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The connection works. The account is Willow & Co.').first().waitFor();
    await system.fail('unavailable', 1);
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The connection does not work').first().waitFor();

    await page.getByRole('button', { name: 'Replace token' }).click();
    const replacing = page.getByRole('dialog', { name: 'Replace the credentials of Salon book' });
    await expect(replacing.getByLabel('Token', { exact: true })).toHaveValue('');
    await replacing.getByLabel('Token', { exact: true }).fill(token);
    await replacing.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('Replaced the credentials of Salon book.').first().waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Salon book' }).waitFor();
    expect(await page.content()).not.toContain(token);

    // The next step is named, and leads there.
    await expect(page.getByRole('link', { name: 'Read its employees and services' })).toHaveAttribute(
      'href',
      `/admin/provider-sync?business=${WILLOW}`,
    );

    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page
      .getByRole('dialog', { name: 'Disconnect Salon book?' })
      .getByRole('button', { name: 'Disconnect', exact: true })
      .click();
    await page.getByText('No booking system is connected').waitFor();
  });

  test('is read, mapped and kept in step, both ways, and one refused appointment stops no other', async () => {
    const owner = await RestClient.as(people.owner);
    await system.connect(owner);
    const page = await freshPage({ as: people.admin });
    await page.goto(`/admin/provider-sync?business=${WILLOW}`);
    await inside(page);
    await page.getByText('Nothing was read yet').waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('Would be 14 new.').waitFor();
    await page.getByText('No employees and services were read yet').waitFor();
    await page.getByRole('button', { name: 'Read now' }).click();
    await page.getByText('5 employees, 9 services, 0 appointments of mapped employees. 14 new.').waitFor();
    await page.getByText('Visits with them are entered there, but not as these services.').waitFor();

    await system.fail('refused', 1);
    await page.getByRole('button', { name: 'Map to Mia Larsen for Mia Larsen there' }).click();
    await expect(page.getByLabel('Who or what Mia Larsen is here')).not.toHaveValue('');
    await until(async () => expect(await unsettled(owner)).toEqual([SyncState.PARKED]));
    // All others are there.
    await until(async () => expect(await system.has('API')).toBe(true));
    await page.goto(`/admin/appointment-sync?business=${WILLOW}&only=failed`);
    await page.getByText('Refused').first().waitFor();
    await page.getByText('the booking system refuses this').first().waitFor();
    // The person at the desk sees which visit it is and why, and has it tried again.
    const desk = await freshPage({ as: people.employee });
    await desk.goto(`/${WILLOW}/inbox`);
    await inside(desk);
    const refused = desk
      .getByRole('listitem')
      .filter({ hasText: 'is not as it should be in the booking system for Mia Larsen' });
    await refused.getByText(/the booking system refuses this/i).waitFor();
    await refused.getByText(/^It was refused, so it is not tried again by itself/).waitFor();
    await refused.getByRole('button', { name: /^Try again/ }).click();
    await until(async () => expect(await unsettled(owner)).toEqual([]));
    await refused.waitFor({ state: 'detached' });
    // Four of its people are mapped to no one, which the owner is told.
    const owners = await freshPage({ as: people.owner });
    await owners.goto(`/${WILLOW}/inbox`);
    await inside(owners);
    const unmapped = owners.getByRole('listitem').filter({ hasText: 'and mapped to no one here' });
    await unmapped.getByRole('link', { name: 'Say who they are' }).waitFor();

    // What is booked there keeps her time free here.
    const date = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    await system.add('Mia Larsen', 'Booked over there', `${date}T12:00`, 30);
    await until(async () => {
      const day = await owner.call(DayService.method.getDay, {
        businessId: WILLOW,
        firstDate: date,
        lastDate: date,
      });
      const mia = day.columns.find(({ employeeName }) => employeeName === 'Mia Larsen');
      const busy = mia?.unavailable.filter(({ reason }) => reason === DayUnavailableReason.BUSY) ?? [];
      expect(busy.map(({ fromMinute, toMinute }) => [fromMinute, toMinute])).toEqual([[720, 750]]);
    });
  });

  test('has everyone and everything of the same name mapped at once', async () => {
    const owner = await RestClient.as(people.owner);
    await system.connect(owner);
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}/provider-sync`);
    await inside(page);
    await page.getByRole('button', { name: 'Read now' }).click();
    await page.getByRole('button', { name: 'Map all 14 as suggested' }).click();
    await page.getByText('Mapped 14 employees and services as suggested.').waitFor();
    await expect(page.getByRole('button', { name: /^Map / })).toHaveCount(0);
    await expect(page.getByLabel('Who or what Noah Adeyemi is here')).not.toHaveValue('');
  });

  test('is compared with the book, employee by employee, and says so when it is away', async () => {
    const owner = await RestClient.as(people.owner);
    const connectionId = await system.connect(owner);
    await owner.call(ProviderConnectionService.method.syncProvider, { businessId: WILLOW, connectionId });
    await system.map(owner, connectionId, 'Noah Adeyemi');
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}/details?tab=integrations`);
    await page.getByRole('link', { name: 'Compare availability' }).click();
    await page.getByRole('heading', { name: 'Noah Adeyemi' }).waitFor();
    // A Thursday: Noah works here from 10, and is free there from 9.
    await page.getByLabel('Date', { exact: true }).fill(nextThursday());
    const noah = page.getByRole('list', { name: 'Employees' }).getByRole('listitem');
    await noah.getByText('Differs by').waitFor();
    await noah.getByText(/^Free only in Salon book: 9:00 – /).waitFor();
    await page.getByRole('button', { name: 'Next day' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('date')).toBe(dayAfter(nextThursday(), 1));
    await system.fail('unavailable', 30);
    await page.reload();
    await page.getByText('Unknown there').waitFor();
    await page.getByText('What it has free is unknown, not taken.').waitFor();
  });

  test('is for owners to look into', async () => {
    const page = await freshPage({ as: people.manager });
    for (const path of ['provider-credentials', 'provider-sync', 'provider-availability']) {
      await page.goto(`/${WILLOW}/${path}`);
      await page.getByText('Access Restricted').first().waitFor();
    }
  });
});

/** In three to ten days. */
function nextThursday(): string {
  const day = new Date(Date.now() + 3 * 86_400_000);
  while (day.getUTCDay() !== 4) day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}
