import type { Page } from '@playwright/test';
import { type Call, CallService, MissedReason } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { InsightService } from '../src/gen/frontdesk/telemetry/v1/insight_pb';
import { dayAfter } from '../src/time/local';
import { dayKey } from '../src/time/zoned';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { askedOnThePhone } from './telephone';
import { expect, test } from './test';
import { until } from './until';

const ZONE = 'Europe/London';
const today = () => dayKey(new Date(), ZONE);

/** Every call of the last four weeks that led to no booking for this reason. */
async function missed(client: RestClient, reason: MissedReason): Promise<Call[]> {
  const calls: Call[] = [];
  let pageToken = '';
  do {
    const page = await client.call(CallService.method.listCalls, {
      businessId: WILLOW,
      pageSize: 200,
      pageToken,
      filter: { firstDate: dayAfter(today(), -27), lastDate: today(), missedReason: reason },
    });
    calls.push(...page.calls);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return calls;
}

/** Whether the last headline has a row for itself, and leaves some of it empty. */
async function isLastAlone(page: Page): Promise<boolean> {
  return page
    .locator('main dl')
    .first()
    .evaluate((list) => {
      const boxes = [...list.children].map((card) => card.getBoundingClientRect());
      const last = boxes.at(-1);
      const row = boxes.filter((box) => box.top === last?.top);
      return row.length === 1 && (last?.width ?? 0) < list.getBoundingClientRect().width - 1;
    });
}

test.describe('insights', () => {
  test('count a call by its reason, and every number opens the calls behind it', async () => {
    const client = await RestClient.as(people.owner);
    await askedOnThePhone('tattoo removal');
    const calls = await missed(client, MissedReason.NOT_OFFERED);
    expect(calls.length).toBeGreaterThan(0);

    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/insights`);
    await inside(page);
    const reasons = page.getByRole('list', {
      name: 'Calls without the booking that was looked for, by reason',
    });
    const line = reasons.getByRole('listitem').filter({ hasText: 'Not offered here' });
    await until(async () =>
      expect(await line.getByRole('link').textContent()).toBe(calls.length.toLocaleString('en-GB')),
    );
    // The columns come with their library once the page is shown, say what they are, and are drawn.
    const columns = page.getByRole('img', { name: /^Calls by day/ });
    await columns.locator('.recharts-bar-rectangle').first().waitFor();
    await page.getByText(/^\d+ of \d+ ended calls/).waitFor();
    for (const width of [390, 920, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await until(async () => expect(await isLastAlone(page)).toBe(false));
    }

    await line.getByRole('link').click();
    await page.waitForURL(/\/calls\?.*reason=NOT_OFFERED/);
    await page
      .getByRole('list', { name: 'Filters in use' })
      .getByText('No booking: not offered here')
      .waitFor();
    await page.locator(`a[href="/${WILLOW}/calls/${calls[0]?.id}"]`).click();
    await heading(page, 'Details').waitFor();
    await page.getByText('Not offered here').waitFor();
  });

  test('show the same numbers as a table, hour by hour', async () => {
    await askedOnThePhone('tattoo removal');
    const client = await RestClient.as(people.owner);
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}/insights`);
    await inside(page);
    await page.getByRole('radio', { name: 'Table' }).click({ force: true });
    await page.waitForURL(/view=table/);
    const told = await client.call(InsightService.method.getInsights, {
      businessId: WILLOW,
      firstDate: dayAfter(today(), -27),
      lastDate: today(),
    });
    const hours = page.getByRole('table', { name: 'Calls by hour of the day' });
    const rows = hours.getByRole('row');
    await until(async () => expect(await rows.count()).toBe(25));
    const some = told.hours.find(({ figures }) => figures && figures.calls > 0n);
    const row = rows.nth((some?.hour ?? 0) + 1);
    await until(async () =>
      expect(await row.getByRole('link').first().textContent()).toBe(
        Number(some?.figures?.calls).toLocaleString('en-GB'),
      ),
    );
    await row.getByRole('link').first().click();
    await page.waitForURL(new RegExp(`hour=${some?.hour}`));
    await page.locator(`a[href^="/${WILLOW}/calls/"]`).first().waitFor();
  });

  test('are for managers of the business, and an administrator chooses it first', async () => {
    const employee = await freshPage({ as: people.employee });
    await employee.goto(`/${WILLOW}/insights`);
    await heading(employee, 'Access Restricted').waitFor();
    const admin = await freshPage({ as: people.admin });
    await admin.goto('/admin/insights');
    await heading(admin, 'Insights').waitFor();
    await admin.getByRole('main').getByRole('link', { name: 'Willow & Co' }).click();
    await admin.waitForURL(`**/admin/insights?business=${WILLOW}`);
    await admin.getByRole('group', { name: 'Dates' }).waitFor();
  });

  test('are silent about dates without a call', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/insights?from=2001-01-01&to=2001-01-07`);
    await page.getByText('Nothing to measure yet').waitFor();
    expect(await page.getByRole('img', { name: /^Calls by/ }).count()).toBe(0);
    await page.goto(`/${WILLOW}/insights?from=2001-01-07&to=2001-01-01`);
    await page.getByText('The last date is before the first.').waitFor();
  });
});
