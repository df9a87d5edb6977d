import { atHome, freshPage, heading } from './browser';
import { toldOtherwise } from './installation';
import { askedFor, gaps, stopClock } from './page-clock';
import { openPanel } from './panel';
import { people } from './stack';
import { expect, test } from './test';

test.describe('the panels for developers', () => {
  test('float over every page while developing', async () => {
    const page = await freshPage();
    for (const path of ['/login', '/privacy', '/nowhere']) {
      await page.goto(path);
      await page.getByRole('button', { name: 'Cache panel' }).waitFor();
      await page.getByRole('button', { name: 'Auth panel' }).waitFor();
    }
    const floats = page.getByRole('complementary', { name: 'Development panels' });
    expect(await floats.evaluate((node) => getComputedStyle(node).position)).toBe('fixed');
  });

  for (const environment of ['production', 'test'] as const) {
    test(`do not exist in ${environment}`, async () => {
      const page = await freshPage();
      await toldOtherwise(page, { environment });
      await page.goto('/privacy');
      await heading(page, 'Privacy').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('button', { name: /panel$/ }).count()).toBe(0);
    });
  }
});

test.describe('the cache panel', () => {
  test('shows what the services’ cache really did', async () => {
    const page = await atHome(people.owner);
    const read = page.waitForResponse('**/api/v1/debug/cache-stats');
    const panel = await openPanel(page, 'Cache');
    const stats = (await (await read).json()) as {
      globalMetrics: { totalOperations: number };
    };
    expect(stats.globalMetrics.totalOperations).toBeGreaterThan(0);
    await panel.getByText('Healthy', { exact: true }).waitFor();
  });

  test('reads every 2 s while it is open, and stops when it is closed', async () => {
    const page = await atHome(people.owner);
    const readings = await askedFor(page, '/v1/debug/cache-stats');
    await stopClock(page);
    const panel = await openPanel(page, 'Cache');
    for (const gap of gaps(await readings.until(4))) {
      expect(gap).toBeGreaterThanOrEqual(2000);
      expect(gap).toBeLessThan(3000);
    }
    await readings.answered();
    await panel.getByRole('button', { name: 'Close cache' }).click();
    await panel.waitFor({ state: 'detached' });
    const before = await readings.times();
    await page.clock.runFor(10_000);
    expect(await readings.times()).toEqual(before);
  });

  test('resets, clears and tests the cache', async () => {
    const page = await atHome(people.owner);
    const panel = await openPanel(page, 'Cache');
    for (const [button, path] of [
      ['Test', 'test-cache'],
      ['Reset figures', 'reset-metrics'],
      ['Clear cache', 'clear-cache'],
    ] as const) {
      const answered = page.waitForResponse(`**/api/v1/debug/${path}`);
      await panel.getByRole('button', { name: button }).click();
      const answer = await answered;
      const { message } = (await answer.json()) as { message: string };
      expect([path, answer.status(), message]).toEqual([path, 200, expect.stringMatching(/./)]);
      await panel.getByRole('status').getByText(message).waitFor();
    }
  });

  test('says which action failed', async () => {
    const page = await atHome(people.owner);
    const panel = await openPanel(page, 'Cache');
    for (const [button, path, prefix] of [
      ['Test', 'test-cache', 'Test error'],
      ['Reset figures', 'reset-metrics', 'Reset error'],
      ['Clear cache', 'clear-cache', 'Clear error'],
    ] as const) {
      await page.route(`**/api/v1/debug/${path}`, (route) => route.abort());
      await panel.getByRole('button', { name: button }).click();
      await panel.getByText(new RegExp(`^${prefix}: .`)).waitFor();
    }
  });

  test('reads again with a new token after a 401, once, and says so when that is refused too', async () => {
    const page = await atHome(people.owner);
    // Its first reading alone is refused: with an expired token another call of the page could renew it before.
    await page.route(
      '**/api/v1/debug/cache-stats',
      (route) => route.fulfill({ status: 401, json: { code: 16, message: 'The token has expired.' } }),
      { times: 1 },
    );
    const order: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (/cache-stats$|auth\/refresh$/.test(pathname)) order.push(`${response.status()} ${pathname}`);
    });
    const panel = await openPanel(page, 'Cache');
    await panel.getByText('Healthy', { exact: true }).waitFor();
    expect(order.slice(0, 3)).toEqual([
      '401 /api/v1/debug/cache-stats',
      '200 /api/auth/refresh',
      '200 /api/v1/debug/cache-stats',
    ]);
    await page.route('**/api/v1/debug/cache-stats', (route) =>
      route.fulfill({ status: 401, json: { code: 16, message: 'no' } }),
    );
    await panel.getByText('Auth failed: Please log in again', { exact: true }).waitFor();
  });

  test('says that no user is signed in', async () => {
    const page = await freshPage();
    await page.goto('/login');
    const panel = await openPanel(page, 'Cache');
    await panel.getByText('Error: Not authenticated').waitFor();
  });
});

test.describe('the auth panel', () => {
  test('asks how the provider is configured', async () => {
    const page = await atHome(people.owner);
    const panel = await openPanel(page, 'Auth');
    const answered = page.waitForResponse('**/api/auth/debug/oauth-config');
    await panel.getByRole('button', { name: 'OAuth configuration' }).click();
    const answer = await answered;
    expect(answer.request().method()).toBe('GET');
    expect(answer.status()).toBe(200);
    await panel.getByText('The provider is configured like this:').waitFor();
  });
});

test.describe('the panel of queries', () => {
  for (const width of [1280, 390]) {
    test(`is at the bottom left, minimised, ${width} wide`, async () => {
      const page = await atHome(people.owner, { width });
      const button = page.locator('.tsqd-open-btn');
      await button.waitFor();
      const box = await button.boundingBox();
      expect(box?.x).toBeLessThan(width / 4);
      expect(box?.y).toBeGreaterThan(700);
      expect(await page.locator('.tsqd-main-panel').count()).toBe(0);
      // All of the navigation stays free to press.
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link').first().click();
      await button.click({ trial: true });
    });
  }
});
