import type { Page } from '@playwright/test';
import { enter, freshPage, heading } from './browser';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const sessionToast = (page: Page) =>
  page.getByRole('region', { name: 'Session notifications' }).getByRole('paragraph');

/** Ends the session at the door, so that the page has to find out by itself. */
async function endAtTheDoor(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const [, token = ''] = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie) ?? [];
    const headers = { 'X-XSRF-TOKEN': decodeURIComponent(token), 'Content-Type': 'application/json' };
    return (await fetch('/api/auth/logout', { method: 'POST', headers, body: '{}' })).status;
  });
  expect(status).toBe(200);
}

test.describe('the tabs of one browser', () => {
  test('are signed in and out together', async () => {
    const page = await freshPage();
    const other = await page.context().newPage();
    await page.goto('/login');
    await other.goto(`/${WILLOW}/services`);
    await other.waitForURL('**/login');
    await enter(page, people.owner);
    await heading(page, 'Next appointments').waitFor();
    await other.waitForURL(`**/${WILLOW}/services`);
    await heading(other, 'Services').waitFor();
    await other.getByRole('button', { name: /^Account of/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    await other.waitForURL('**/login');
  });
});

test.describe('a session that the door ended', () => {
  test('leads to sign-in, says why, and then restores the page and the typed text', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto('/my/account');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half of a na');
    await endAtTheDoor(page);
    // Without any input: the live socket tells the page.
    await page.waitForURL('**/login');
    await sessionToast(page).waitFor();
    expect(await sessionToast(page).textContent()).toBe('Session expired, please log in again.');
    await enter(page, people.manager);
    await page.waitForURL('**/my/account');
    await page.getByText('What you had filled in is back.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Half of a na');
  });

  test('leaves no typed text to the next user', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto('/my/account');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half of a na');
    await endAtTheDoor(page);
    // Without any input: the live socket tells the page.
    await page.waitForURL('**/login');
    await enter(page, people.employee);
    await page.waitForURL('**/my/account');
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).not.toContain('Half');
  });
});

test.describe('a session of which half an hour is left', () => {
  test('says so, and lets the user sign in again and continue', async () => {
    const page = await freshPage();
    await page.route('**/api/auth/login', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), sessionSecondsLeft: 1799 } });
    });
    await page.goto(`/${WILLOW}/services`);
    await page.waitForURL('**/login');
    await enter(page, people.owner);
    await page.getByText(/^You will be signed out at/).waitFor();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL('**/login');
    await page.unroute('**/api/auth/login');
    await enter(page, people.owner);
    await page.waitForURL(`**/${WILLOW}/services`);
    await heading(page, 'Services').waitFor();
    await until(async () => expect(await page.getByText(/^You will be signed out at/).count()).toBe(0));
  });
});

test.describe('the callback page', () => {
  test('takes the token out of address and history before any other request', async () => {
    const page = await freshPage();
    await page.goto('/login');
    const seen: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) return;
      seen.push(`${request.url()} ${request.headers().referer ?? ''}`);
    });
    await page.goto('/auth/callback?token=secret-one.secret-two.secret-three');
    await heading(page, 'Sign-in with Google failed').waitFor();
    expect(new URL(page.url()).search).toBe('');
    const refresh = seen.findIndex((request) => request.includes('/api/auth/refresh'));
    expect(refresh).toBeGreaterThanOrEqual(0);
    expect(seen.filter((request) => request.includes('secret-'))).toEqual([]);
    await page.reload();
    await page.getByText('No authentication token received from server.').waitFor();
  });

  for (const [search, message] of [
    ['?code=c', 'Missing state parameter. Request rejected for security.'],
    ['?code=c&state=s', 'No stored state found. Please restart OAuth flow.'],
    ['?error=access_denied', 'OAuth2 authentication failed: access_denied'],
    ['?error=a%3Cb%3E', 'OAuth2 authentication failed: a<b>'],
    ['?error=The+salon%0A+is+%E2%80%AEclosed.', 'OAuth2 authentication failed: The salon is closed.'],
    [`?error=${'x'.repeat(500)}`, `OAuth2 authentication failed: ${'x'.repeat(200)}`],
    ['', 'No authentication token received from server.'],
    ['?token=one.two', 'Invalid JWT token format'],
  ] as const) {
    test(`reached with “${search}” says what is wrong`, async () => {
      const page = await freshPage();
      await page.goto(`/auth/callback${search}`);
      await page.getByRole('alert').getByText(message, { exact: true }).waitFor();
    });
  }

  test('reached with another state, or without the verifier, says what is wrong', async () => {
    const page = await freshPage();
    await page.goto('/login');
    await page.evaluate(() => sessionStorage.setItem('oauthState', 'mine'));
    await page.goto('/auth/callback?code=c&state=theirs');
    await page.getByText('Invalid state parameter. Potential CSRF attack detected.').waitFor();
    await page.evaluate(() => sessionStorage.setItem('oauthState', 'mine'));
    await page.goto('/auth/callback?code=c&state=mine');
    await page.getByText('Code verifier not found. Please restart the OAuth flow.').waitFor();
  });
});
