import { atHome, freshPage, heading, signedIn } from './browser';
import { people, SECOND, WILLOW } from './stack';
import { expect, test } from './test';

/** Refused before it is looked for: the answer tells nothing about what exists. */
const UNKNOWN = '01900000-0000-7000-8000-00000000dead';
const REFUSED_NAMES = /Schedule|Calls|Inbox|Customers|Waitlist|Team|Members|Intelligence|Insights/;

test.describe('what each role sees', () => {
  for (const email of [people.owner, people.manager, people.employee]) {
    test(`${email} works at the desk`, async () => {
      const page = await signedIn(email);
      expect(new URL(page.url()).pathname).toBe(`/${WILLOW}`);
      for (const part of ['Next appointments', 'Calls', 'Opening hours']) await heading(page, part).waitFor();
      const main = page.getByRole('navigation', { name: 'Main' });
      const links = await main.getByRole('link').allTextContents();
      // The inbox tells how much there is to settle.
      expect(links.map((link) => link.replace(/\d.*/, ''))).toEqual([
        'Home',
        'Schedule',
        'Calls',
        'Inbox',
        'Customers',
        'Waitlist',
        'Team',
        'Services',
        ...(email === people.employee ? [] : ['Insights']),
        'Items',
        ...(email === people.owner ? ['Agent settings'] : []),
        'Details',
        ...(email === people.owner ? ['Members'] : []),
        'Your businesses',
      ]);
      await page.goto('/admin');
      await heading(page, 'Access Restricted').waitFor();
      await page.getByText("You don't have permission to access this page.").waitFor();
    });
  }

  test('an employee of one business keeps its navigation on the pages of their own', async () => {
    const page = await atHome(people.employee);
    await page.goto('/my/account');
    await heading(page, 'Your account').waitFor();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Schedule', exact: true })
      .click();
    await page.waitForURL(`**/${WILLOW}/schedule`);
  });

  test('a guest sees hours and services, and no personal data', async () => {
    const page = await signedIn(people.guest);
    await heading(page, 'Opening hours').waitFor();
    await heading(page, 'Services').waitFor();
    await page.getByText('Cut', { exact: false }).first().waitFor();
    expect(await heading(page, 'Next appointments').count()).toBe(0);
    const main = page.getByRole('navigation', { name: 'Main' });
    expect(await main.getByRole('link').allTextContents()).toEqual([
      'Home',
      'Services',
      'Details',
      'Your businesses',
    ]);
    const account = page.getByRole('button', { name: /^Account of/ });
    await account.click();
    const menu = page.getByRole('menuitem');
    await menu.first().waitFor();
    expect((await menu.allTextContents()).filter((item) => REFUSED_NAMES.test(item))).toEqual([]);
  });

  for (const part of [
    'schedule',
    'calls',
    `calls/${UNKNOWN}`,
    `appointments/${UNKNOWN}`,
    'appointments/import',
    'inbox',
    'customers',
    `customers/${UNKNOWN}`,
    'customers/import',
    'items',
    `items/${UNKNOWN}`,
    'items/import',
    'waitlist',
    'team',
    `team/${UNKNOWN}`,
    'members',
    'intelligence',
    'insights',
    'agent',
    'provider-credentials',
    'provider-sync',
    'provider-availability',
  ]) {
    test(`a guest is refused at /{businessId}/${part}, which shows people’s data`, async () => {
      const page = await freshPage({ as: people.guest });
      await page.goto(`/${WILLOW}/${part}`);
      await heading(page, 'Access Restricted').waitFor();
      await page.getByText("You don't have permission to access this page.").waitFor();
      await page.getByText('Please contact your administrator if you believe this is an error.').waitFor();
    });
  }

  test('a guest’s home links to no page that they are refused at', async () => {
    const page = await atHome(people.guest);
    await heading(page, 'Services').waitFor();
    await page.waitForLoadState('networkidle');
    const links = await page
      .getByRole('link')
      .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).pathname));
    const refused = new RegExp(
      `^/${WILLOW}/(schedule|calls|appointments|inbox|items|waitlist|team|members|intelligence|insights)`,
    );
    expect(links.filter((path) => refused.test(path))).toEqual([]);
  });

  test('an administrator sees every business', async () => {
    const page = await signedIn(people.admin);
    expect(new URL(page.url()).pathname).toBe('/admin');
    await page.getByRole('main').getByRole('link', { name: 'Businesses', exact: true }).click();
    await heading(page, 'Businesses').waitFor();
    await page.getByRole('link', { name: 'Willow & Co' }).click();
    await page.waitForURL(`**/${WILLOW}`);
    await heading(page, 'Next appointments').waitFor();
    await page.goto(`/${SECOND}`);
    await heading(page, 'Opening hours').waitFor();
  });
});
