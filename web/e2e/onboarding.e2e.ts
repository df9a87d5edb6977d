import type { Page } from '@playwright/test';
import { CalendarService } from '../src/gen/frontdesk/calendarsync/v1/calendar_pb';
import { ConsentService } from '../src/gen/frontdesk/calendarsync/v1/consent_pb';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { PASSWORD, people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const here = (page: Page) => new URL(page.url()).pathname;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Signs in inside the flow, as a visitor does. */
async function arrive(email: string): Promise<Page> {
  const page = await freshPage();
  await page.goto('/onboarding');
  await page.getByRole('link', { name: 'Connect your calendar' }).click();
  await heading(page, 'Connect your calendar').waitFor();
  await page.getByText('Colleagues see that you are busy, not why.').waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Sign in');
  await heading(page, /Allow access|Choose a calendar/).waitFor();
  expect(here(page)).toBe('/onboarding/flow');
  return page;
}

/** From whatever was decided before to the question. */
async function asked(page: Page): Promise<void> {
  if (await heading(page, 'Choose a calendar').isVisible()) await press(page, 'Withdraw access');
  await heading(page, 'Allow access').waitFor();
  await page.getByText(/Microsoft 365 can’t be connected/).waitFor();
  await press(page, 'Use the demo calendar');
  await heading(page, 'Frontdesk wants to use your demo calendar').waitFor();
  await page.getByText('This is simulated').waitFor();
  expect(here(page)).toBe('/onboarding/oauth-mock');
}

const calendarsOf = async (client: RestClient) =>
  (await client.call(CalendarService.method.listCalendars, { businessId: WILLOW, pageSize: 200 })).calendars;

test.describe('connecting a calendar', () => {
  test('goes from a visitor to the first reading, and stands there after a reload', async () => {
    const owner = await RestClient.as(people.owner);
    const before = await calendarsOf(owner);
    const page = await arrive(people.owner);
    await asked(page);
    await press(page, 'Allow');
    await heading(page, 'Choose a calendar').waitFor();
    await page.reload();
    await heading(page, 'Choose a calendar').waitFor();
    expect(await page.getByLabel('Calendar', { exact: true }).inputValue()).toBe('demo');
    const employee = page.getByLabel('Employee');
    const free = await employee.getByRole('option').filter({ hasNotText: 'has a calendar' }).all();
    const [value] = await Promise.all(free.map((option) => option.getAttribute('value')));
    const chosen = value ?? (await employee.inputValue());
    await employee.selectOption(chosen);
    await page.getByRole('button', { name: /^Connect/ }).click();
    await heading(page, 'Calendar connected').waitFor();
    await page.reload();
    await heading(page, 'Calendar connected').waitFor();
    const known = new Set(before.map(({ id }) => id));
    const added = (await calendarsOf(owner)).filter(({ id }) => !known.has(id));
    expect(added.map(({ employeeId, name }) => [employeeId, name])).toEqual([[chosen, 'Demo calendar']]);
    expect(added[0]?.syncedAt).toBeDefined();
    await page.getByRole('link', { name: 'Open the schedule' }).click();
    await heading(page, 'Schedule').waitFor();
  });

  test('begins at the setup for who is signed in without a calendar, and is passed by once access is given', async () => {
    const owner = await RestClient.as(people.owner);
    await owner.call(ConsentService.method.withdrawConsent, {});
    const page = await freshPage({ as: people.owner });
    await page.goto('/');
    await heading(page, 'Set up your calendar').waitFor();
    await page.getByRole('link', { name: 'Go on without a calendar' }).click();
    await page.waitForURL(`**/${WILLOW}`);
    await page.goto('/onboarding');
    await page.getByRole('link', { name: 'Connect your calendar' }).click();
    await asked(page);
    await press(page, 'Allow');
    await heading(page, 'Choose a calendar').waitFor();
    await page.goto('/onboarding');
    await page.waitForURL(`**/${WILLOW}`);
    await inside(page);
    await owner.call(ConsentService.method.withdrawConsent, {});
  });

  test('is passed by for those who have no calendar to connect', async () => {
    for (const [person, landing] of [
      [people.admin, '/admin'],
      [people.guest, `/${WILLOW}`],
    ] as const) {
      const page = await freshPage({ as: person });
      await page.goto('/onboarding');
      await page.waitForURL(`**${landing}`);
    }
  });

  test('shows an employee themselves alone', async () => {
    const page = await arrive(people.employee);
    await asked(page);
    await press(page, 'Allow');
    await heading(page, 'Choose a calendar').waitFor();
    const options = page.getByLabel('Employee').getByRole('option');
    await until(async () => expect(await options.count()).toBe(1));
    expect(await options.textContent()).toContain('Mia Larsen (you)');
  });

  test('ends at a denial with nothing kept, and the session goes on', async () => {
    const page = await arrive(people.manager);
    await asked(page);
    await press(page, 'Deny');
    await heading(page, 'Not connected').waitFor();
    await page.getByText('Nothing was read, and nothing is kept.').waitFor();
    await page.getByRole('link', { name: 'Begin again' }).click();
    await heading(page, 'Allow access').waitFor();
    await page.getByRole('link', { name: 'Go on without connecting' }).click();
    await page.waitForURL(`**/${WILLOW}`);
    await inside(page);
    const client = await RestClient.as(people.manager);
    const answer = await client.send('GET', '/api/me/calendars');
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ authorizationRequired: true });
  });

  test('asks anew once access was withdrawn', async () => {
    const page = await arrive(people.owner);
    await asked(page);
    await press(page, 'Allow');
    await press(page, 'Withdraw access');
    await page.getByText('Frontdesk no longer sees which calendars you have.').waitFor();
    await heading(page, 'Allow access').waitFor();
  });

  test('takes no answer that it did not ask for', async () => {
    const page = await freshPage();
    await page.goto('/onboarding/oauth-mock');
    await heading(page, 'Nothing was asked').waitFor();
    await page.goto('/onboarding/oauth-callback?state=made-up&code=simulated');
    await heading(page, 'Connect your calendar').waitFor();
    const owner = await freshPage({ as: people.owner });
    await owner.goto('/onboarding/oauth-callback?state=made-up&code=simulated');
    await owner.getByText('This answer came too late, or was already given.').waitFor();
  });

  test('is not for guests', async () => {
    const page = await freshPage({ as: people.guest });
    await page.goto('/onboarding/flow');
    await page.getByText('Only people who work in a salon connect calendars.').waitFor();
  });
});
