import { CalendarFeedService } from '../src/gen/frontdesk/calendarsync/v1/feed_pb';
import { paths } from '../src/paths';
import { freshPage, inside } from './browser';
import { RestClient } from './rest';
import { employeeNamed } from './salon';
import { BASE_URL, people, WILLOW } from './stack';
import { expect, test } from './test';

const NAME = 'Mia Larsen';

test.afterEach(async () => {
  const owner = await RestClient.as(people.owner);
  const { feeds } = await owner.call(CalendarFeedService.method.listCalendarFeeds, { businessId: WILLOW });
  for (const { employeeId } of feeds)
    await owner.call(CalendarFeedService.method.revokeCalendarFeed, { businessId: WILLOW, employeeId });
});

test('an employee’s address is made, read by any calendar without customers, replaced and revoked', async () => {
  const owner = await RestClient.as(people.owner);
  await employeeNamed(owner, NAME);
  const page = await freshPage({ as: people.owner });
  await page.goto(paths.details(WILLOW, 'integrations'));
  await inside(page);
  const row = page
    .getByRole('list', { name: 'Addresses for other calendars' })
    .getByRole('listitem')
    .filter({ hasText: NAME });
  await row.getByText('No address').waitFor();
  await row.getByRole('button', { name: `Make an address of ${NAME}` }).click();
  const making = page.getByRole('dialog', { name: `Make an address of ${NAME}` });
  await making.getByRole('button', { name: 'Make the address' }).click();
  const made = page.getByRole('dialog', { name: `The address of ${NAME}` });
  const address = await made.getByLabel('Address', { exact: true }).inputValue();
  expect(address.startsWith(`${BASE_URL}/api/calendar-feeds/`)).toBe(true);
  await made.getByRole('button', { name: 'Done' }).click();
  await row.getByText('not read yet').waitFor();

  const first = await fetch(address);
  const calendar = await first.text();
  expect(first.headers.get('content-type')).toContain('text/calendar');
  expect(calendar).toContain('BEGIN:VEVENT');
  // A part is "Cut – Ana": what follows the dash is who comes.
  expect(calendar).not.toMatch(/^SUMMARY:.* – /m);
  const again = await fetch(address, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);

  await page.reload();
  await inside(page);
  await row.getByText(/last read/).waitFor();
  await row.getByRole('button', { name: `Revoke the address of ${NAME}` }).click();
  await page
    .getByRole('dialog', { name: `Revoke the address of ${NAME}?` })
    .getByRole('button', { name: 'Revoke', exact: true })
    .click();
  await row.getByText('No address').waitFor();
  expect((await fetch(address)).status).toBe(404);
});
