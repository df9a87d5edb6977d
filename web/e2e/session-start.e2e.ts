import type { Page } from '@playwright/test';
import { atHome, enter, freshPage, heading, inside, signedIn } from './browser';
import { held } from './held';
import { comesAfter, letPass, stopClock } from './page-clock';
import { fact, openPanel } from './panel';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { within } from './within';

const REFRESH = /\/api\/auth\/refresh$/;
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** The signed-in user, as the auth panel shows it. */
async function person(page: Page): Promise<Record<string, string | null>> {
  const panel = page.getByRole('region', { name: 'Auth', exact: true });
  const names = ['Name', 'E-mail', 'Role', 'Provider', 'Id'];
  await fact(panel, 'Id').waitFor();
  const told = await Promise.all(names.map((name) => fact(panel, name).textContent()));
  return Object.fromEntries(names.map((name, index) => [name, told[index] ?? null]));
}

/** What the debug page says of the session. */
const told = (page: Page) => fact(page, 'Session');

test.describe('the session', () => {
  test('is requested once, while the code of the page is still loading', async () => {
    const page = await freshPage({ as: people.owner });
    const refreshes: string[] = [];
    page.on('request', (request) => {
      if (REFRESH.test(request.url())) refreshes.push(request.method());
    });
    const code = await held(page, /\/assets\/base-[^/]+\.js$/);
    const asked = page.waitForResponse(REFRESH);
    await page.goto(`/${WILLOW}`, { waitUntil: 'commit' });
    await asked;
    await code.letGo();
    await inside(page);
    expect(refreshes).toEqual(['GET']);
  });

  test('is requested again when another user signed in meanwhile', async () => {
    const page = await atHome(people.owner);
    const other = await page.context().newPage();
    const code = await held(other, /\/assets\/base-[^/]+\.js$/);
    const asked = other.waitForResponse(REFRESH);
    await other.goto(`/${WILLOW}`, { waitUntil: 'commit' });
    await asked;
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await enter(page, people.manager);
    await inside(page);
    await other.evaluate(() => Object.assign(window, { sameDocument: true }));
    await code.letGo();
    await inside(other);
    // With the outdated answer the page would have had to reload.
    expect(await other.evaluate(() => 'sameDocument' in window)).toBe(true);
    expect(await other.getByRole('link', { name: 'Members' }).count()).toBe(0);
  });
});

test.describe('the person of the session', () => {
  test('is named by their e-mail after signing in, and by their token after a silent refresh', async () => {
    const page = await signedIn(people.owner);
    await openPanel(page, 'Auth');
    expect(await person(page)).toMatchObject({
      Name: 'owner',
      'E-mail': people.owner,
      Provider: 'email',
      Id: 'me',
    });
    const refreshes: string[] = [];
    page.on('request', (request) => {
      if (REFRESH.test(request.url())) refreshes.push(request.method());
    });
    await page.reload();
    await inside(page);
    await openPanel(page, 'Auth');
    await fact(page, 'Id').getByText(ID).waitFor();
    expect(await person(page)).toMatchObject({ 'E-mail': people.owner, Provider: 'email' });
    expect((await person(page)).Role).toMatch(/OWNER/);
    expect(refreshes).toEqual(['GET']);
  });

  test('is read from the server when the token has no claims, and is a placeholder when that fails', async () => {
    const page = await freshPage();
    await page.route(REFRESH, (route) => route.fulfill({ json: { token: 'opaque' } }));
    await page.route('**/api/auth/me', (route) =>
      route.fulfill({ json: { id: 'u7', name: 'Ada', email: 'ada@salon.test', role: 'GUEST' } }),
    );
    await page.goto('/debug');
    await fact(page, 'Signed in as').getByText('ada@salon.test (GUEST)').waitFor();
    await page.route('**/api/auth/me', (route) => route.abort());
    await page.reload();
    await fact(page, 'Signed in as').getByText('unknown (user)').waitFor();
    await openPanel(page, 'Auth');
    expect(await person(page)).toMatchObject({ Id: 'me', Name: 'unknown', 'E-mail': 'unknown' });
  });
});

test.describe('the start of the session', () => {
  test('ends with the person where the refresh cookie is good', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/debug');
    await fact(page, 'Signed in as').getByText(people.owner).waitFor();
    await told(page).getByText('Open', { exact: true }).waitFor();
  });

  test('ends without a user when the server refuses, fails or is out of reach', async () => {
    const page = await freshPage();
    const refreshed = page.waitForResponse(REFRESH);
    await page.goto('/debug');
    expect((await refreshed).status()).toBe(401);
    await told(page).getByText('None', { exact: true }).waitFor();
    await page.route(REFRESH, (route) => route.fulfill({ status: 500, json: { message: 'broken' } }));
    await page.reload();
    await told(page).getByText('None', { exact: true }).waitFor();
    await page.route(REFRESH, (route) => route.abort());
    await page.reload();
    await told(page).getByText('None', { exact: true }).waitFor();
    await fact(page, 'Signed in as').getByText('No one').waitFor();
  });

  test('stops loading after 12 s although the refresh still runs', async () => {
    const page = await freshPage();
    await stopClock(page);
    const refresh = await held(page, REFRESH);
    await page.goto('/debug');
    await refresh.arrived();
    await page.clock.runFor(11_999);
    await told(page).getByText('Loading', { exact: true }).waitFor();
    await page.clock.runFor(1);
    await told(page).getByText('Refreshing', { exact: true }).waitFor();
    await refresh.letGo();
    await told(page).getByText('None', { exact: true }).waitFor();
  });

  test('stops loading after 15 s whatever happens', async () => {
    const page = await freshPage();
    await stopClock(page);
    await atCallback(page);
    await within(page, '/debug');
    await heading(page, 'Debug').waitFor();
    await page.clock.runFor(14_999);
    await told(page).getByText('Loading', { exact: true }).waitFor();
    await page.clock.runFor(1);
    await told(page).getByText('Unknown', { exact: true }).waitFor();
  });

  test('shows no form to a returning user while it lasts', async () => {
    const page = await atHome(people.owner);
    const refresh = await held(page, REFRESH);
    await page.goto('/login');
    await page.getByRole('status').getByText('Authenticating').waitFor();
    expect(await heading(page, 'Sign in').count()).toBe(0);
    await refresh.letGo();
    await page.waitForURL(`**/${WILLOW}`);
  });
});

test.describe('a protected page', () => {
  test('leads to sign-in at once when the start ended without a user', async () => {
    const page = await freshPage();
    await stopClock(page);
    await page.goto('/my/account');
    await heading(page, 'Sign in').waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
  });

  test('waits for a refresh that runs, past every failsafe, and shows itself when it succeeds', async () => {
    const page = await atHome(people.owner);
    await page.evaluate(() => localStorage.removeItem('auth'));
    await stopClock(page);
    const refresh = await held(page, REFRESH);
    await page.goto('/my/account');
    await refresh.arrived();
    const waiting = page.getByRole('status').getByText('Refreshing session');
    await letPass(page, () => waiting.isVisible());
    await page.clock.runFor(20_000);
    expect(await waiting.count()).toBe(1);
    await refresh.letGo();
    await heading(page, 'Your account').first().waitFor();
  });

  test('gives the refresh up with the request, after 30 s', async () => {
    const page = await freshPage();
    await stopClock(page);
    const refresh = await held(page, REFRESH);
    await page.goto('/my/account');
    await refresh.arrived();
    const waiting = page.getByRole('status').getByText('Refreshing session');
    const passed = await letPass(page, () => waiting.isVisible());
    await page.clock.runFor(29_999 - passed);
    expect(await waiting.count()).toBe(1);
    await page.clock.runFor(1);
    await heading(page, 'Sign in').waitFor();
  });

  test('waits at most 5 s for a session with no start or refresh running, then leads to sign-in', async () => {
    const page = await freshPage();
    await stopClock(page);
    await atCallback(page);
    // The page of the return says the same while it waits.
    await within(page, '/debug');
    await heading(page, 'Debug').waitFor();
    await within(page, '/my/account');
    const waiting = page.getByRole('status').getByText('Authenticating');
    await waiting.waitFor();
    await comesAfter(
      page,
      5000,
      () => waiting.isVisible(),
      () => heading(page, 'Sign in').isVisible(),
    );
  });

  test('verifies a session that stopped loading before it was known, for 5 s as well', async () => {
    const page = await freshPage();
    await stopClock(page);
    await atCallback(page);
    await page.clock.runFor(15_000);
    await within(page, '/my/account');
    const waiting = page.getByRole('status').getByText('Verifying session');
    await waiting.waitFor();
    await comesAfter(
      page,
      5000,
      () => waiting.isVisible(),
      () => heading(page, 'Sign in').isVisible(),
    );
    expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull();
  });
});

/** A return from the provider that the door does not answer: there the silent refresh waits for the exchange. */
async function atCallback(page: Page): Promise<void> {
  await page.goto('/privacy');
  await page.evaluate(() => {
    sessionStorage.setItem('oauthState', 'mine');
    sessionStorage.setItem('oauthCodeVerifier', 'v'.repeat(43));
  });
  const exchange = await held(page, /\/api\/auth\/oauth2\/callback$/);
  await page.goto('/auth/callback?code=c&state=mine');
  await exchange.arrived();
}
