import type { Page } from '@playwright/test';
import { atHome, freshPage, heading } from './browser';
import { BASE_URL, people } from './stack';
import { expect, test } from './test';

let drawn = 0;
/** An address without an account on this stack. */
const unusedAddress = () => `nora-${Date.now()}-${drawn++}@mail.test`;

const DOORS_FLOW = '/oauth2/authorization/google';

/** Goes to the provider from the sign-in page. */
async function toProvider(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await heading(page, 'Choose an account').waitFor();
}

/** Signs in at the provider with this address. */
async function be(page: Page, email: string, { verified = true } = {}): Promise<void> {
  await page.getByLabel('Or use another address').fill(email);
  if (!verified) await page.getByLabel('The address is not verified').check();
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function landed(page: Page): Promise<void> {
  await page.waitForURL('**/my/businesses');
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
}

const told = async (page: Page) => {
  const alert = page.getByRole('main').getByRole('alert');
  await alert.waitFor();
  return alert.textContent();
};

for (const { flow, leave } of [
  { flow: "the page's flow", leave: toProvider },
  { flow: "the door's flow", leave: async (page: Page) => void (await page.goto(DOORS_FLOW)) },
]) {
  test.describe(`signing in with Google by ${flow}`, () => {
    test('creates an account at the first sign-in, and finds it at the next', async () => {
      const email = unusedAddress();
      for (const _ of ['first', 'second']) {
        const page = await freshPage();
        await leave(page);
        await be(page, email);
        await landed(page);
        await page.reload();
        await landed(page);
        const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
        expect(stored).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
      }
    });

    test('leaves neither code nor token in the address or the referrer', async () => {
      const page = await freshPage();
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.headers().referer ?? ''));
      await leave(page);
      await be(page, unusedAddress());
      await landed(page);
      expect(page.url()).toBe(`${BASE_URL}/my/businesses`);
      expect(sent.join(' ')).not.toMatch(/[?&](code|token|state)=/);
      const names = (await page.context().cookies()).map(({ name }) => name);
      expect(names).not.toContain('__Host-oauth');
    });

    test('does not join an account with a confirmed address', async () => {
      const page = await freshPage();
      await leave(page);
      await be(page, people.owner);
      expect(await told(page)).toMatch(/account with this e-mail address already|account_exists/);
      expect(new URL(page.url()).pathname).toBe('/auth/callback');
    });

    test('refuses an address that Google has not verified', async () => {
      const page = await freshPage();
      await leave(page);
      await be(page, unusedAddress(), { verified: false });
      expect(await told(page)).toMatch(/not verified at Google|provider_refused/);
    });

    test('reports a cancelled sign-in', async () => {
      const page = await freshPage();
      await leave(page);
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect(await told(page)).toContain('OAuth2 authentication failed: access_denied');
    });
  });
}

test.describe('a way back from the provider', () => {
  test('works once, and only in the browser that began it', async () => {
    const page = await freshPage();
    const returns: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/oauth2/callback/google?')) returns.push(request.url());
    });
    await page.goto(DOORS_FLOW);
    await be(page, unusedAddress());
    await landed(page);
    const [address = ''] = returns;
    expect(address).toContain('code=');
    for (const browser of [page, await freshPage()]) {
      await browser.goto(address);
      expect(await told(browser)).toContain('OAuth2 authentication failed: token_spent');
    }
  });

  test('keeps the session when a further sign-in through the provider fails', async () => {
    const page = await atHome(people.owner);
    const home = page.url();
    await page.goto('/oauth2/callback/google?error=access_denied&state=x');
    expect(await told(page)).toContain('access_denied');
    await page.goto(home);
    await heading(page, 'Next appointments').waitFor();
  });
});
