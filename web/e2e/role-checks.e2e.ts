import type { Page } from '@playwright/test';
import { enter, freshPage, heading, inside } from './browser';
import { fact, openPanel } from './panel';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';
import { within } from './within';

/** The salon's owner, whom the door says to be of another role; without one it says none. */
async function signedInAs(role?: string): Promise<Page> {
  const page = await freshPage();
  await page.route('**/api/auth/login', async (route) => {
    const answer = await route.fetch();
    const { role: _, ...rest } = (await answer.json()) as { role: string };
    await route.fulfill({ response: answer, json: { ...rest, ...(role === undefined ? {} : { role }) } });
  });
  await page.route('**/api/v1/me/memberships**', async (route) => {
    const answer = await route.fetch();
    const { memberships, ...rest } = (await answer.json()) as { memberships: object[] };
    const changed = memberships.map((membership) => ({ ...membership, role: role ?? '' }));
    await route.fulfill({ response: answer, json: { ...rest, memberships: changed } });
  });
  await page.goto('/login');
  await enter(page, people.owner);
  await inside(page);
  return page;
}

/** Where the navigation leads, without the number of what waits in the inbox. */
async function destinations(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  return (await links.allTextContents()).map((text) => text.replace(/\d+\+? to settle$/, ''));
}

const DESK = ['Home', 'Schedule', 'Calls', 'Inbox', 'Customers', 'Waitlist', 'Team', 'Services'];

test.describe('a role', () => {
  for (const expected of [
    {
      role: 'owner',
      known: 'Owner',
      goes: [...DESK, 'Insights', 'Items', 'Agent settings', 'Details', 'Members'],
    },
    { role: 'Manager', known: 'Manager', goes: [...DESK, 'Insights', 'Items', 'Details'] },
    { role: 'USER', known: 'Employee', goes: [...DESK, 'Items', 'Details'] },
    { role: 'guest', known: 'Guest', goes: ['Home', 'Services', 'Details'] },
    { role: 'CAPTAIN', known: 'Captain', goes: ['Home'] },
  ]) {
    test(`told as ${expected.role} is ${expected.known}, goes where that may and not to the admin area`, async () => {
      const page = await signedInAs(expected.role);
      await until(async () =>
        expect(await destinations(page)).toEqual([...expected.goes, 'Your businesses']),
      );
      const panel = await openPanel(page, 'Auth');
      expect(await fact(panel, 'Role').textContent()).toBe(`${expected.known} ${expected.role}`);
      await within(page, '/admin');
      await heading(page, 'Access Restricted').waitFor();
      await page.getByText('Please contact your administrator if you believe this is an error.').waitFor();
    });
  }

  test('told as admin, in small letters, opens the admin area', async () => {
    const page = await signedInAs('admin');
    expect(new URL(page.url()).pathname).toBe('/admin');
    expect(await heading(page, 'Access Restricted').count()).toBe(0);
    expect(await destinations(page)).toContain('Admin');
  });

  test('told as admin, in small letters, reads what administrators alone read', async () => {
    const page = await signedInAs('admin');
    await page.route('**/api/me/calendars', (route) =>
      route.fulfill({ status: 401, json: { authorizationRequired: true } }),
    );
    await page.route('**/api/v1/me/calendar-consents', (route) => route.fulfill({ json: { consents: [] } }));
    await within(page, '/onboarding/flow');
    await page.getByText('Only administrators see this.').waitFor();
  });

  test('that is not told is a plain user’s', async () => {
    const page = await signedInAs();
    const panel = await openPanel(page, 'Auth');
    expect(await fact(panel, 'Role').textContent()).toBe('Employee user');
    expect(new URL(page.url()).pathname).toBe(`/${WILLOW}`);
  });
});
