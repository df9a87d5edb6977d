import type { Page } from '@playwright/test';
import { ProviderConnectionService } from '../src/gen/frontdesk/calendarsync/v1/provider_pb';
import { paths } from '../src/paths';
import { BookingSystem } from './booking-system';
import { freshPage, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const NAME = 'Noah Adeyemi';
/** A system that failed several times is left alone for longer. */
const RESTED_MS = 90_000;

const system = new BookingSystem();
const doubts = (within: Page | ReturnType<Page['getByRole']>) =>
  within.getByRole('list', { name: 'Calendars that are not current' });

/** Noah is mapped in a booking system that answers nothing any more. */
async function mappedBeforeItStopped(owner: RestClient): Promise<void> {
  const connectionId = await system.connect(owner);
  await owner.call(ProviderConnectionService.method.syncProvider, { businessId: WILLOW, connectionId });
  await system.fail('unavailable', 100);
  await system.map(owner, connectionId, NAME);
}

test.afterEach(async () => system.leave(await RestClient.as(people.owner)));

test('an open day and an open booking learn of a booking system that stops answering, and that it is read again', async () => {
  test.setTimeout(4 * 60_000);
  const page = await freshPage({ as: people.employee });
  await page.goto(paths.schedule(WILLOW));
  await inside(page);
  const about = doubts(page).getByText(/^Noah Adeyemi’s column in Salon book /);
  await page.getByRole('button', { name: 'New booking' }).waitFor();
  expect(await about.count()).toBe(0);
  await mappedBeforeItStopped(await RestClient.as(people.owner));
  await doubts(page)
    .getByText(/^Noah Adeyemi’s column in Salon book was never read \(/)
    .waitFor({ timeout: 60_000 });

  await page.getByRole('button', { name: 'New booking' }).click();
  const dialog = page.getByRole('dialog', { name: 'New booking' });
  await dialog.getByLabel('Service', { exact: true }).selectOption({ label: "Women's cut & finish" });
  await dialog.getByLabel('With', { exact: true }).selectOption({ label: NAME });
  const inDialog = doubts(dialog).getByText(/was never read .* Times that it takes may look free\.$/);
  await inDialog.waitFor();

  await system.mend();
  await inDialog.waitFor({ state: 'detached', timeout: RESTED_MS });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(/ was last read | were last read /).waitFor();
  await about.waitFor({ state: 'detached' });
});
