import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { atHome, freshPage, heading, inside } from './browser';
import { held } from './held';
import { toldOtherwise } from './installation';
import { stopClock } from './page-clock';
import { openPanel } from './panel';
import { BASE_URL, people } from './stack';
import { expect, test } from './test';
import { until } from './until';

const CONFIGURATION = '**/api/config/frontend';

const google = (page: Page) => page.getByRole('button', { name: 'Continue with Google' });
const toast = (page: Page) =>
  page.getByRole('region', { name: 'Session notifications' }).getByRole('paragraph');
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Leaves the browser where it is, and tells where it would have gone. */
async function staying(page: Page): Promise<() => Promise<URL>> {
  const gone: URL[] = [];
  await page.route(
    ({ pathname }) => pathname.endsWith('/authorization/google') || pathname === '/auth',
    async (route) => {
      gone.push(new URL(route.request().url()));
      await route.fulfill({ status: 204 });
    },
  );
  return () =>
    until(() => {
      const [address, ...more] = gone;
      expect(more).toEqual([]);
      if (!address) throw new Error('The browser went nowhere.');
      return address;
    });
}

test.describe('the way to Google', () => {
  test('is an authorization-code request with PKCE, state and nonce, and the page keeps their secrets', async () => {
    const page = await freshPage();
    const gone = await staying(page);
    await page.goto('/login');
    await google(page).click();
    const address = await gone();
    const kept = await page.evaluate(() => ({
      verifier: sessionStorage.getItem('oauthCodeVerifier') ?? '',
      state: sessionStorage.getItem('oauthState') ?? '',
    }));
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'frontdesk',
      redirect_uri: `${BASE_URL}/auth/callback`,
      response_type: 'code',
      scope: 'openid email profile',
      state: kept.state,
      nonce: digest(`nonce:${kept.verifier}`),
      code_challenge: digest(kept.verifier),
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
    });
    expect(Buffer.from(kept.verifier, 'base64url')).toHaveLength(32);
    expect(Buffer.from(kept.state, 'base64url')).toHaveLength(16);
    expect(address.href).not.toContain(kept.verifier);
  });

  test('is the door’s where the browser keeps nothing for the page, its host being the API’s without /api', async () => {
    const page = await freshPage();
    await toldOtherwise(page, { apiBaseUrl: '/elsewhere/api' });
    await page.route('**/elsewhere/api/**', (route) =>
      route.continue({ url: route.request().url().replace('/elsewhere/api/', '/api/') }),
    );
    await page.addInitScript(() => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function keep(name, value) {
        if (this === sessionStorage) throw new DOMException('full', 'QuotaExceededError');
        setItem.call(this, name, value);
      };
    });
    const gone = await staying(page);
    await page.goto('/login');
    await google(page).click();
    expect((await gone()).href).toBe(`${BASE_URL}/elsewhere/oauth2/authorization/google`);
  });

  test('comes back to the API’s host, and to the page’s own where that is localhost:8080', async () => {
    for (const { apiBaseUrl, comesBackTo } of [
      { apiBaseUrl: 'http://door.test/api', comesBackTo: 'http://door.test' },
      { apiBaseUrl: 'http://localhost:8080/api', comesBackTo: BASE_URL },
    ]) {
      const page = await freshPage({ anyPolicy: true });
      await toldOtherwise(page, { apiBaseUrl });
      await page.route(`${apiBaseUrl}/**`, async (route) => {
        const path = new URL(route.request().url()).pathname;
        const answer = await page.request.get(`${BASE_URL}${path}`);
        await route.fulfill({
          status: answer.status(),
          json: await answer.json(),
          headers: {
            'Access-Control-Allow-Origin': BASE_URL,
            'Access-Control-Allow-Credentials': 'true',
            'Access-Control-Allow-Headers': '*',
          },
        });
      });
      const gone = await staying(page);
      await page.goto('/login');
      await google(page).click();
      expect((await gone()).searchParams.get('redirect_uri')).toBe(`${comesBackTo}/auth/callback`);
    }
  });

  test('is skipped while a user is signed in', async () => {
    const page = await atHome(people.owner);
    await page.goto('/auth/callback?error=access_denied');
    await heading(page, 'Sign-in with Google failed').waitFor();
    const panel = await openPanel(page, 'Auth');
    await panel.getByText('Signed in', { exact: true }).waitFor();
    const asked: string[] = [];
    // What is fetched ahead in idle moments starts no way to Google.
    page.on('request', (request) => {
      if (!request.url().includes('/assets/')) asked.push(request.url());
    });
    await google(page).click();
    await google(page).click();
    expect(asked).toEqual([]);
    await page.goto('/login');
    await inside(page);
  });
});

test.describe('while the browser is on its way', () => {
  test('the button waits, for 2 s after the redirect did not happen', async () => {
    const page = await freshPage();
    const gone = await staying(page);
    await stopClock(page);
    await page.goto('/login');
    await google(page).click();
    await gone();
    await until(async () => expect(await google(page).isDisabled()).toBe(true));
    await page.clock.runFor(1999);
    expect(await google(page).isDisabled()).toBe(true);
    await page.clock.runFor(1);
    await until(async () => expect(await google(page).isEnabled()).toBe(true));
  });

  test('the button is free after 8 s although the configuration never came', async () => {
    const page = await freshPage();
    await stopClock(page);
    await page.goto('/login');
    await google(page).waitFor();
    const configuration = await held(page, /\/api\/config\/frontend$/);
    await google(page).click();
    await configuration.arrived();
    await page.clock.runFor(7999);
    expect(await google(page).isDisabled()).toBe(true);
    await page.clock.runFor(1);
    await until(async () => expect(await google(page).isEnabled()).toBe(true));
  });
});

test.describe('a way to Google that does not begin', () => {
  for (const [status, message] of [
    [404, 'Configuration endpoint not found. Please ensure backend is running.'],
    [500, 'Backend configuration error. Please try again later.'],
    [503, 'Backend configuration error. Please try again later.'],
    [429, 'Failed to fetch application configuration.'],
  ] as const) {
    test(`because the configuration is answered with ${status} says so`, async () => {
      const page = await freshPage();
      await page.route(CONFIGURATION, (route) => route.fulfill({ status, json: { message: 'no' } }));
      await page.goto('/login');
      await google(page).click();
      await toast(page).getByText(message, { exact: true }).waitFor();
    });
  }

  test('because the door is out of reach, or names no client, says so', async () => {
    const page = await freshPage();
    await page.goto('/login');
    await google(page).waitFor();
    await page.route(CONFIGURATION, (route) => route.abort());
    await google(page).click();
    await toast(page).getByText('Failed to fetch application configuration.', { exact: true }).waitFor();
    const oauth = { googleClientId: '', googleAuthUrl: 'https://accounts.test/', scopes: 'openid' };
    await page.route(CONFIGURATION, (route) => route.fulfill({ json: { oauth } }));
    await google(page).click();
    await toast(page)
      .getByText('Invalid OAuth configuration received from backend', { exact: true })
      .waitFor();
  });

  test('for want of a client id when the page loads keeps the button, which says so', async () => {
    const page = await freshPage();
    await page.route(CONFIGURATION, (route) => route.fulfill({ json: { oauth: { googleClientId: '' } } }));
    await page.goto('/login');
    await google(page).click();
    await toast(page)
      .getByText('Invalid OAuth configuration received from backend', { exact: true })
      .waitFor();
    expect(await google(page).isVisible()).toBe(true);
  });

  test('with an unknown error says that it failed', async () => {
    const page = await freshPage();
    await page.addInitScript(() => {
      SubtleCrypto.prototype.digest = () => Promise.reject(new DOMException('no', 'OperationError'));
    });
    await page.goto('/login');
    await google(page).click();
    await toast(page).getByText('Failed to start Google login', { exact: true }).waitFor();
  });
});
