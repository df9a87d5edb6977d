import type { Page } from '@playwright/test';
import { atHome, enter, freshPage, heading } from './browser';
import { PASSWORD, people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const sessionToasts = (page: Page) => page.getByRole('region', { name: 'Session notifications' });
const account = (page: Page) => page.getByRole('button', { name: /^Account of/ });

async function signOut(page: Page): Promise<void> {
  await account(page).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** Signs another person in at this browser, without a word to its tabs. */
async function swapCookies(page: Page, email: string): Promise<void> {
  const status = await page.evaluate(
    async ([address, password]) => {
      const [, token = ''] = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie) ?? [];
      const headers = { 'X-XSRF-TOKEN': decodeURIComponent(token), 'Content-Type': 'application/json' };
      const body = JSON.stringify({ email: address, password });
      return (await fetch('/api/auth/login', { method: 'POST', headers, body })).status;
    },
    [email, PASSWORD] as const,
  );
  expect(status).toBe(200);
}

test.describe('signing out', () => {
  test('clears the screen before the server has answered, and allows no sign-in until it has', async () => {
    const page = await atHome(people.owner);
    const other = await page.context().newPage();
    await other.goto(`/${WILLOW}/services`);
    await heading(other, 'Services').waitFor();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let loggedIn = false;
    await page.route('**/api/auth/logout', async (route) => {
      await held;
      await route.continue();
    });
    page.on('request', (request) => {
      loggedIn ||= request.url().endsWith('/api/auth/login');
    });
    await signOut(page);
    await heading(page, 'Sign in').waitFor();
    await heading(other, 'Sign in').waitFor();
    expect(await account(page).count()).toBe(0);
    await enter(page, people.manager);
    await page.getByRole('button', { name: 'Sign in', exact: true, disabled: true }).waitFor();
    expect(loggedIn).toBe(false);
    answer();
    await heading(page, 'Next appointments').waitFor();
    await account(page).click();
    await page.getByRole('menu').getByText(people.manager, { exact: false }).waitFor();
  });

  test('removes the toasts of the session and the screens', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/my/account');
    await page.route('**/api/v1/me:rename', (route) => route.fulfill({ status: 429, json: { code: 8 } }));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Another Name');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const said = page.getByRole('region', { name: 'Notifications', exact: true }).getByRole('paragraph');
    // Pointed at, it would stay for ever.
    await said.hover();
    await signOut(page);
    await heading(page, 'Sign in').waitFor();
    await until(async () => expect(await said.count()).toBe(0));
  });
});

test.describe('a refused sign-in', () => {
  test('is no longer shown after a successful one', async () => {
    const page = await freshPage();
    await page.goto('/login');
    await page.route('**/api/auth/login', (route) => route.abort(), { times: 1 });
    await enter(page, people.owner);
    const said = sessionToasts(page).getByRole('paragraph');
    await said.waitFor();
    // Pointed at, it would stay for ever.
    await said.hover();
    await page.getByLabel('Password', { exact: true }).press('Enter');
    await heading(page, 'Next appointments').waitFor();
    await until(async () => expect(await said.count()).toBe(0));
  });
});

test.describe('another person who signed in at this browser', () => {
  test('starts at their own home page, and sees no data of the user before', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/my/account');
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    await swapCookies(page, people.employee);
    // Without any input: the old session has ended, and the refresh returns the user of the new cookies.
    await page.waitForURL(`**/${WILLOW}`);
    await heading(page, 'Next appointments').waitFor();
    await account(page).click();
    await page.getByRole('menu').getByText(people.employee, { exact: false }).waitFor();
  });
});
