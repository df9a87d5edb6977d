import { atHome, freshPage, heading, inside, signedIn } from './browser';
import { toldOtherwise } from './installation';
import { people, SECOND, WILLOW } from './stack';
import { expect, test } from './test';

const ADMIN_PAGES = [
  '/admin',
  '/admin/businesses',
  '/admin/businesses/create',
  '/admin/biz',
  '/admin/appointment-sync',
  '/admin/saloniq-consistency',
  '/admin/provider-sync',
  '/admin/provider-availability',
  `/admin/provider-credentials/${WILLOW}`,
  '/admin/employee-management',
];

const here = (page: { url(): string }) => new URL(page.url()).pathname;

test.describe('an address', () => {
  test('without a path leads to onboarding', async () => {
    const page = await freshPage();
    await page.goto('/');
    await page.waitForURL('**/onboarding');
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  for (const path of ['/nowhere/at/all', '/my/nowhere', `/${WILLOW}/nowhere`]) {
    test(`that is unknown, as ${path}, shows the not-found page`, async () => {
      const page = await freshPage();
      await page.goto(path);
      await heading(page, 'Page not found').waitFor();
      expect(here(page)).toBe(path);
    });
  }

  for (const [path, title] of [
    ['/login', 'Sign in'],
    ['/register', 'Create an account'],
    ['/forgot-password', 'Forgot your password?'],
    ['/reset-password?token=x', 'Choose a new password'],
    ['/auth/callback?error=access_denied', 'Sign-in with Google failed'],
    ['/onboarding', 'The front desk of your salon'],
    ['/onboarding/flow', 'Connect your calendar'],
    ['/onboarding/oauth-mock?state=x', 'Frontdesk wants to use your demo calendar'],
    ['/privacy', 'Privacy'],
    ['/debug', 'Debug'],
    ['/demo', 'See a call become a booking'],
  ] as const) {
    test(`open to everyone, as ${path}, asks for no sign-in`, async () => {
      const page = await freshPage();
      await page.goto(path);
      await heading(page, title).first().waitFor();
      expect(here(page)).toBe(path.split('?')[0]);
    });
  }

  for (const path of [`/${WILLOW}`, `/${WILLOW}/calls/${SECOND}`, '/my/account', '/admin/businesses']) {
    test(`behind the sign-in, as ${path}, leads a stranger there and leaves no way back to nothing`, async () => {
      const page = await freshPage();
      await page.goto('/privacy');
      await heading(page, 'Privacy').first().waitFor();
      await page.evaluate((to) => window.location.assign(to), path);
      await page.waitForURL('**/login');
      await heading(page, 'Sign in').waitFor();
      await page.goBack();
      await heading(page, 'Privacy').first().waitFor();
    });
  }

  test('with a first segment that is no id shows the not-found page, signed in or not', async () => {
    for (const page of [await freshPage(), await signedIn(people.owner)]) {
      await page.goto('/not-a-business');
      await heading(page, 'Page not found').waitFor();
      expect(here(page)).toBe('/not-a-business');
    }
  });

  for (const [path, title] of [
    ['', 'Next appointments'],
    ['/calls', 'Calls'],
    ['/customers', 'Customers'],
    ['/items', 'Items'],
    ['/services', 'Services'],
  ] as const) {
    test(`of a business, as its ${path}, is shown to every employee`, async () => {
      const page = await freshPage({ as: people.employee });
      await page.goto(`/${WILLOW}${path}`);
      await heading(page, title).first().waitFor();
      expect(here(page)).toBe(`/${WILLOW}${path}`);
    });
  }

  test('of the user’s businesses lists them', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/my/businesses');
    await page.getByRole('main').getByRole('link', { name: 'Willow & Co' }).waitFor();
  });

  test('of the user’s account shows their profile', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/my/account');
    await heading(page, 'Your account').first().waitFor();
    await page.getByRole('main').getByText(people.owner).first().waitFor();
    expect(here(page)).toBe('/my/account');
  });

  test('of a call leads from the list to its own page', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}/calls`);
    await page.locator(`a[href^="/${WILLOW}/calls/"]`).first().click();
    await heading(page, 'Conversation').waitFor();
    expect(here(page)).toMatch(new RegExp(`^/${WILLOW}/calls/[0-9a-f-]{36}$`));
  });
});

test.describe('the admin area', () => {
  test('is for ADMIN alone, on every page of it', async () => {
    for (const email of [people.owner, people.guest]) {
      const page = await freshPage({ as: email });
      for (const path of ADMIN_PAGES) {
        await page.goto(path);
        await heading(page, 'Access Restricted').waitFor();
        await page.getByText("You don't have permission to access this page.").waitFor();
        await page.getByText('Please contact your administrator if you believe this is an error.').waitFor();
      }
    }
    const page = await freshPage({ as: people.admin });
    for (const path of ADMIN_PAGES) {
      await page.goto(path);
      await inside(page);
      expect(await heading(page, 'Access Restricted').count()).toBe(0);
    }
  });

  test('is refused to a cached user before the server has confirmed the session, without advice to contact an administrator', async () => {
    const page = await atHome(people.owner);
    await page.route('**/api/auth/refresh', () => undefined);
    await page.goto('/admin');
    await heading(page, 'Access Restricted').waitFor();
    await page.getByText("You don't have permission to access this page.").waitFor();
    expect(await page.getByText('Please contact your administrator').count()).toBe(0);
  });
});

test.describe('the debug page', () => {
  test('shows what the page knows of its installation, and no secret', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/debug');
    await page.getByText('development', { exact: true }).waitFor();
    await page.getByText(`${people.owner} (OWNER)`).waitFor();
    const checks = page.getByRole('list', { name: 'Checks' });
    for (const good of [/Answered in \d+ ms$/, /Opened in \d+ ms$/, /As the server’s$/, /are kept$/])
      await checks.getByText(good).waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/eyJ/);
  });

  test('is there in production as well', async () => {
    const page = await freshPage();
    await toldOtherwise(page, { environment: 'production' });
    await page.goto('/debug');
    await page.getByText('production', { exact: true }).waitFor();
    expect(await page.getByText('Signed in as').count()).toBe(0);
  });
});
