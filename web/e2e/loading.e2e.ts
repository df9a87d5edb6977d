import type { Page } from '@playwright/test';
import { atHome, freshPage, heading, takeComplaints } from './browser';
import { held } from './held';
import { askedFor, comesAfter, gaps, letPass, stopClock } from './page-clock';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

const MINUTE_MS = 60_000;

const skeleton = (page: Page) => page.getByText('Loading page', { exact: true });

test.describe('while a page loads', () => {
  test('the previous page stays under a thin progress line, for 1500 ms', async () => {
    const page = await atHome(people.owner);
    await heading(page, 'Next appointments').waitFor();
    const { letGo } = await held(page, /services-page[^/]*\.js/);
    await stopClock(page);
    await goTo(page, 'Services');
    await page.getByRole('progressbar', { name: 'Loading page' }).waitFor();
    await comesAfter(
      page,
      1500,
      async () =>
        (await heading(page, 'Next appointments').count()) === 1 && (await skeleton(page).count()) === 0,
      async () =>
        (await heading(page, 'Next appointments').count()) === 0 && (await skeleton(page).count()) === 1,
    );
    await page.clock.resume();
    await letGo();
    await heading(page, 'Services').first().waitFor();
    await skeleton(page).waitFor({ state: 'detached' });
  });

  test('a placeholder is shown at once if there was no page before', async () => {
    const page = await freshPage();
    const { letGo } = await held(page, /login-page[^/]*\.js/);
    await page.goto('/login', { waitUntil: 'commit' });
    await skeleton(page).waitFor({ state: 'attached' });
    expect(await page.locator('header, nav').count()).toBe(0);
    await letGo();
    await heading(page, 'Sign in').waitFor();
  });
});

/** How many rows each part of the placeholder has. */
const placeholderOf = (page: Page) =>
  skeleton(page)
    .locator('xpath=following-sibling::*')
    .getByRole('status', { includeHidden: true })
    .evaluateAll((parts) => parts.map((part) => part.lastElementChild?.firstElementChild?.children.length));

test.describe('the placeholder', () => {
  for (const { kind, paths, framed, parts } of [
    { kind: 'login and register', paths: ['/login', '/register'], framed: false, parts: [3] },
    { kind: 'account', paths: ['/my/account'], framed: true, parts: [3] },
    { kind: 'business list', paths: ['/my/businesses', '/admin/businesses'], framed: true, parts: [4] },
    { kind: 'calls table', paths: [`/${WILLOW}/calls`], framed: true, parts: [8] },
    { kind: 'business detail', paths: [`/${WILLOW}/calls/${WILLOW}`], framed: true, parts: [6, 3] },
    { kind: 'dashboard', paths: [`/${WILLOW}`, '/admin'], framed: true, parts: [6, 3, 3] },
  ]) {
    test(`is a ${kind} where its path asks for one`, async () => {
      const page = await freshPage();
      await held(page, /(-page|workplace)[^/]*\.js$/);
      for (const path of paths) {
        await page.goto(path, { waitUntil: 'commit' });
        await skeleton(page).waitFor({ state: 'attached' });
        expect([path, await placeholderOf(page)]).toEqual([path, parts]);
        const left = await skeleton(page).locator('xpath=..').boundingBox();
        // The frame's own place beside the page is kept free.
        expect([path, (left?.x ?? 0) >= 264 && (left?.width ?? 0) > 432]).toEqual([path, framed]);
      }
    });
  }
});

test.describe('while the session is being found out', () => {
  test('a cached user’s page is shown, with placeholders, for as long as it takes', async () => {
    const page = await atHome(people.owner);
    const { letGo } = await held(page, /\/api\/auth\/refresh$/);
    await page.goto(`/${WILLOW}/calls`);
    await heading(page, 'Calls').first().waitFor();
    await page.getByText('Loading calls', { exact: true }).waitFor({ state: 'attached' });
    await letGo();
    await page.locator(`a[href^="/${WILLOW}/calls/"]`).first().waitFor();
  });

  for (const kept of ['not json', '{"user":{}}']) {
    test(`an invalid cache, as ${kept}, leads to sign-in`, async () => {
      const page = await freshPage();
      await page.goto('/privacy');
      await page.evaluate((auth) => localStorage.setItem('auth', auth), kept);
      await page.goto(`/${WILLOW}`);
      await page.waitForURL('**/login');
      await heading(page, 'Sign in').waitFor();
      expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull();
    });
  }
});

test.describe('what was read', () => {
  test('stays for five minutes, and is then removed', async () => {
    // An owner's home reads the services as well.
    const page = await atHome(people.manager);
    await goTo(page, 'Services');
    const services = page.getByRole('main').getByRole('region', { name: 'Hair' });
    await services.waitFor();
    await goTo(page, 'Home');
    await heading(page, 'Next appointments').waitFor();
    await held(page, /\/services(\?|$)/);
    await stopClock(page);
    await page.clock.fastForward(4 * MINUTE_MS);
    await goTo(page, 'Services');
    await letPass(page, () => services.isVisible());
    await goTo(page, 'Home');
    await letPass(page, () => heading(page, 'Next appointments').isVisible());
    await page.clock.fastForward(6 * MINUTE_MS);
    await goTo(page, 'Services');
    await letPass(
      page,
      async () => (await page.getByText('Loading services', { exact: true }).count()) === 1,
    );
    expect(await services.count()).toBe(0);
  });
});

test.describe('a read that fails', () => {
  test('is retried three times, a second apart, before the page reports it', async () => {
    const page = await atHome(people.owner);
    await heading(page, 'Next appointments').waitFor();
    const attempts = await askedFor(page, '/calls?pageSize=50');
    await page.route(/\/calls\?pageSize=50/, (route) => route.abort());
    await stopClock(page);
    await goTo(page, 'Calls');
    await attempts.until(3);
    await attempts.answered();
    expect(await page.getByText('The calls can’t be shown').count()).toBe(0);
    for (const gap of gaps(await attempts.until(4))) {
      expect(gap).toBeGreaterThanOrEqual(1000);
      expect(gap).toBeLessThan(2000);
    }
    await page.clock.resume();
    await page.getByText('The calls can’t be shown').waitFor();
    expect(await attempts.times()).toHaveLength(4);
  });
});

test.describe('a long list', () => {
  for (const { rows, all } of [
    { rows: 100, all: true },
    { rows: 101, all: false },
  ]) {
    test(`of ${rows} rows is all in the document: ${all}`, async () => {
      const page = await freshPage({ as: people.owner });
      await page.route(`**/businesses/${WILLOW}/calls?*`, async (route) => {
        const answer = await route.fetch();
        const { calls } = (await answer.json()) as { calls: { id: string }[] };
        const [call] = calls;
        // The heading of their day is a row as well.
        const many = Array.from({ length: rows - 1 }, (_, row) => ({
          ...call,
          id: `01900000-0000-7000-8000-${String(row).padStart(12, '0')}`,
        }));
        await route.fulfill({ response: answer, json: { calls: many, nextPageToken: '' } });
      });
      await page.goto(`/${WILLOW}/calls`);
      const links = page.locator(`a[href^="/${WILLOW}/calls/"]`);
      await links.first().waitFor();
      const inDocument = await links.count();
      if (all) expect(inDocument).toBe(rows - 1);
      else expect(inDocument).toBeLessThan(rows / 2);
      // Over the list: the navigation scrolls by itself.
      await links.last().hover();
      await page.mouse.wheel(0, 20_000);
      await page.locator(`a[href$="${String(rows - 2).padStart(12, '0')}"]`).waitFor();
    });
  }
});

test.describe('a long list of businesses', () => {
  for (const { rows, all } of [
    { rows: 100, all: true },
    { rows: 101, all: false },
  ]) {
    test(`of ${rows} businesses is all in the document: ${all}`, async () => {
      const page = await freshPage({ as: people.admin });
      await page.route('**/api/v1/admin/businesses?*', async (route) => {
        const answer = await route.fetch();
        const { businesses } = (await answer.json()) as { businesses: object[] };
        const many = Array.from({ length: rows }, (_, row) => ({
          ...businesses[0],
          id: `01900000-0000-7000-8000-${String(row).padStart(12, '0')}`,
        }));
        await route.fulfill({ response: answer, json: { businesses: many, nextPageToken: '' } });
      });
      await page.goto('/admin/businesses');
      const items = page.getByRole('main').getByRole('listitem');
      await items.first().waitFor();
      const inDocument = await items.count();
      if (all) expect(inDocument).toBe(rows);
      else expect(inDocument).toBeLessThan(rows / 2);
    });
  }
});

test.describe('a page that breaks', () => {
  test('says so in the specification’s words, and keeps the frame', async () => {
    const page = await atHome(people.owner);
    await page.route('**/assets/members-page*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'export function Component() { throw new Error("broken on purpose"); }',
      }),
    );
    await goTo(page, 'Members');
    await heading(page, 'Something went wrong.').waitFor();
    await page.getByText("We're working to fix the issue. Please try again later.").waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(new Set(takeComplaints())).toEqual(new Set(['broken on purpose']));
  });
});
