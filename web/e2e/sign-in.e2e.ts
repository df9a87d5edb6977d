import { enter, freshPage, heading, signedIn } from './browser';
import { held } from './held';
import { stopClock } from './page-clock';
import { people, SECOND, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

test.describe('signing in', () => {
  test('leads the owner of one business to its home', async () => {
    const page = await signedIn(people.owner);
    expect(new URL(page.url()).pathname).toBe(`/${WILLOW}`);
    await heading(page, 'Next appointments').waitFor();
  });

  test('with a wrong password says so and stays', async () => {
    const page = await freshPage();
    await page.goto('/login');
    await enter(page, people.owner, 'not-the-password');
    const toast = page.getByRole('region', { name: 'Session notifications' }).getByRole('paragraph');
    await toast.waitFor();
    expect(await toast.textContent()).toMatch(/password/i);
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(await page.evaluate(() => localStorage.getItem('hadSession'))).toBeNull();
  });

  test('that fails without a word of the door’s says so in the page’s, and after 30 s without an answer', async () => {
    const page = await freshPage();
    await stopClock(page);
    await page.goto('/login');
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 401, json: {} }));
    await enter(page, people.owner);
    const toast = page.getByRole('region', { name: 'Session notifications' }).getByRole('paragraph');
    await toast.getByText('Login failed', { exact: true }).waitFor();
    await page.unroute('**/api/auth/login');
    const request = await held(page, /\/api\/auth\/login$/);
    await enter(page, people.owner);
    await request.arrived();
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    await page.clock.runFor(29_999);
    expect(await button.isDisabled()).toBe(true);
    await page.clock.runFor(1);
    // The same words as before: they come with the button.
    await until(async () => expect(await button.isEnabled()).toBe(true));
    await toast.getByText('Login failed', { exact: true }).waitFor();
  });

  test('that is refused in the server’s words repeats them, and else says that it failed', async () => {
    const page = await freshPage();
    await page.goto('/login');
    const toast = page.getByRole('region', { name: 'Session notifications' }).getByRole('paragraph');
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'UNAVAILABLE', domain: 'frontdesk' },
    ];
    const json = { code: 14, message: 'Sign-in rests until noon.', details };
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 503, json }));
    await enter(page, people.owner);
    await toast.getByText('Sign-in rests until noon.', { exact: true }).waitFor();
    await page.unroute('**/api/auth/login');
    await page.route('**/api/auth/login', (route) => route.abort());
    await enter(page, people.owner);
    await toast.getByText('Login failed', { exact: true }).waitFor();
  });

  test('reports missing fields without a request', async () => {
    const page = await freshPage();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your e-mail address.').waitFor();
    expect(await page.getByLabel('E-mail').evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test('returns to the page that was wanted', async () => {
    const page = await freshPage();
    await page.goto(`/${WILLOW}/services`);
    await page.waitForURL('**/login');
    await enter(page, people.owner);
    await page.waitForURL(`**/${WILLOW}/services`);
    await heading(page, 'Services').waitFor();
  });

  test('outlives a reload, with no token in any storage', async () => {
    const page = await signedIn(people.owner);
    await page.reload();
    await heading(page, 'Next appointments').waitFor();
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(stored).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
  });

  test('ends with signing out, for this tab and the next', async () => {
    const page = await signedIn(people.owner);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    await page.getByText('Logged out successfully').waitFor();
    await page.goto(`/${WILLOW}`);
    await page.waitForURL('**/login');
  });

  test('does not open the business of others', async () => {
    const page = await signedIn(people.owner);
    await page.goto(`/${SECOND}`);
    await heading(page, 'Page not found').waitFor();
    await page.goto(`/${SECOND}/calls`);
    await heading(page, 'Page not found').waitFor();
  });

  test('is not required at an unknown address', async () => {
    const page = await freshPage();
    await page.goto('/nowhere/at/all');
    await heading(page, 'Page not found').waitFor();
    await page.goto('/not-a-business');
    await heading(page, 'Page not found').waitFor();
  });
});
