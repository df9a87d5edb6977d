import { freshPage, heading, inside } from './browser';
import { people, WILLOW } from './stack';
import { saidOnThePhone } from './telephone';
import { expect, test } from './test';
import { until } from './until';

/** Pages send what they noted every 15 seconds, and when they are hidden. */
const SENT_WITHIN_MS = 40_000;

test.describe('event tracking', () => {
  test('shows what a person opens and how calls end, live, and exports it', async () => {
    test.setTimeout(90_000);
    const admin = await freshPage({ as: people.admin });
    await admin.goto(`/admin/event-tracking?business=${WILLOW}&hours=1`);
    await inside(admin);
    await heading(admin, 'Event tracking').waitFor();
    const events = admin.getByRole('table', { name: 'Events, newest first' });
    const opened = events
      .getByRole('row')
      .filter({ hasText: 'Opened the waitlist' })
      .filter({ hasText: 'Mia Larsen' });
    await events.or(admin.getByText('No events', { exact: true })).waitFor();
    const before = await opened.count();

    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/waitlist`);
    await inside(page);
    await heading(page, 'Waitlist').waitFor();
    await saidOnThePhone('Are you open on Sunday?');
    await events
      .getByRole('row')
      .filter({ hasText: 'A call ended' })
      .filter({ hasText: 'The phone agent' })
      .first()
      .waitFor();
    await until(async () => expect(await opened.count()).toBeGreaterThan(before), SENT_WITHIN_MS);
    const byName = opened.first().getByRole('button', { name: /^Mia Larsen\s*: show only/ });
    await byName.waitFor();
    await admin
      .getByRole('img', { name: 'Events over time' })
      .locator('.recharts-bar-rectangle')
      .first()
      .waitFor();

    // On a phone each event is a block of its own.
    const wide = admin.viewportSize();
    await admin.setViewportSize({ width: 390, height: 844 });
    const region = admin.getByRole('region', { name: 'Events, newest first' });
    await until(async () =>
      expect(await region.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0),
    );
    if (wide) await admin.setViewportSize(wide);

    // One press shows what this salon's agent did alone.
    await events
      .getByRole('button', { name: /^The phone agent/ })
      .first()
      .click();
    await admin.waitForURL(/actor=agent/);
    await until(async () => expect(await opened.count()).toBe(0));
    await admin.getByLabel('Event', { exact: true }).selectOption({ label: 'Call ended' });
    await admin.waitForURL(/type=CALL_ENDED/);
    await until(async () =>
      expect(await events.getByRole('row').filter({ hasText: 'Opened ' }).count()).toBe(0),
    );
    const downloading = admin.waitForEvent('download');
    await admin.getByRole('button', { name: 'Export' }).click();
    const lines = (await (await (await downloading).createReadStream()).toArray()).join('').split('\r\n');
    expect(lines[1]).toContain('"CALL_ENDED"');
    expect(lines.join('\n')).not.toContain('+447700900123');
  });

  test('notes what a person opened although their token was refused', async () => {
    const page = await freshPage({ as: people.employee });
    await page.clock.install();
    const answers: number[] = [];
    page.on('response', (answer) => {
      if (answer.url().endsWith('/product-events')) answers.push(answer.status());
    });
    await page.route(
      '**/product-events',
      (route) => route.fulfill({ status: 401, json: { code: 16, message: 'The token has expired.' } }),
      { times: 1 },
    );
    await page.goto(`/${WILLOW}/waitlist`);
    await inside(page);
    await page.clock.fastForward(15_000);
    await until(async () => expect(answers).toEqual([401, 200]), SENT_WITHIN_MS);
  });

  test('is for administrators alone', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/admin/event-tracking');
    await heading(page, 'Access Restricted').waitFor();
  });
});
