import type { Page } from '@playwright/test';
import { CalendarKind, CalendarService } from '../src/gen/frontdesk/calendarsync/v1/calendar_pb';
import { freshPage, heading, inside } from './browser';
import { ACCOUNT, useGoogleAccount } from './google-account';
import { RestClient } from './rest';
import { PASSWORD, people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const google = useGoogleAccount();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Signs in inside the flow. */
async function arrive(email: string): Promise<Page> {
  const page = await freshPage({ at: google.stack.url });
  await page.goto('/onboarding/flow');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Sign in');
  await heading(page, /Allow access|Choose a calendar/).waitFor();
  return page;
}

/** Goes to Google and answers there. */
async function answer(page: Page, button: string, decision: string): Promise<void> {
  await press(page, button);
  await page.getByRole('heading', { name: `Frontdesk wants access to ${ACCOUNT}` }).waitFor();
  await page.getByRole('button', { name: decision, exact: true }).click();
}

const googleCalendars = async (client: RestClient) => {
  const { calendars } = await client.call(CalendarService.method.listCalendars, {
    businessId: WILLOW,
    pageSize: 200,
  });
  return calendars.filter(({ kind }) => kind === CalendarKind.GOOGLE);
};

test.describe('a calendar at Google', () => {
  test('is not connected where its owner denies it or allows only part of it', async () => {
    const page = await arrive(people.manager);
    await answer(page, 'Use Google Calendar', 'Deny');
    await heading(page, 'Not connected').waitFor();
    await page.getByText('Nothing was read, and nothing is kept.').waitFor();
    await page.getByRole('link', { name: 'Begin again' }).click();
    await answer(page, 'Use Google Calendar', 'Allow the list alone');
    await page.getByText('Google let Frontdesk do only part of what it needs').waitFor();
    const client = await RestClient.as(people.manager, google.stack.url);
    const told = await client.send('GET', '/api/me/calendars');
    expect(told.status).toBe(401);
    expect(await told.json()).toMatchObject({ authorizationRequired: true });
  });

  test('is chosen, read and written, says that access was revoked, and goes on once it is renewed', async () => {
    const client = await RestClient.as(people.owner, google.stack.url);
    const page = await arrive(people.owner);
    await answer(page, 'Use Google Calendar', 'Allow');
    await heading(page, 'Choose a calendar').waitFor();
    const calendar = page.getByLabel('Calendar', { exact: true });
    // A calendar that may only be read is not offered.
    await until(async () =>
      expect((await calendar.getByRole('option').allTextContents()).sort()).toEqual(['Work', ACCOUNT]),
    );
    await calendar.selectOption({ label: 'Work' });
    await page.getByLabel('Employee').selectOption({ index: 0 });
    await page.getByRole('button', { name: /^Connect/ }).click();
    await heading(page, 'Calendar connected').waitFor();
    await page.getByRole('link', { name: 'Open the schedule' }).click();
    await heading(page, 'Schedule').waitFor();
    // Appointments to come are written there.
    await until(async () => expect((await google.titles()).length).toBeGreaterThan(0));

    await google.revoke();
    const refused = await client.send('GET', '/api/me/calendars');
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ authorizationRequired: true });
    const [connected] = await googleCalendars(client);
    expect([connected?.authorizationRequired, connected?.ownAccount]).toEqual([true, true]);
    await page.goto(`/${WILLOW}/details?tab=integrations`);
    await inside(page);
    await page.getByText('Google no longer lets Frontdesk use this calendar').first().waitFor();
    await page.getByRole('link', { name: 'Allow access again' }).first().click();
    await page.getByText(`Google no longer lets Frontdesk use the calendars of ${ACCOUNT}.`).waitFor();
    await answer(page, 'Allow Google Calendar again', 'Allow');
    await heading(page, 'Choose a calendar').waitFor();
    await page.getByText('Google calendars stay connected, but are neither read nor written').waitFor();
    await until(async () => {
      const [connected] = await googleCalendars(client);
      expect([connected?.authorizationRequired, connected?.lastError]).toEqual([false, '']);
    });

    const written = (await google.titles()).length;
    await press(page, 'Withdraw access');
    const asked = page.getByRole('dialog', { name: `Withdraw access to ${ACCOUNT}?` });
    await expect(
      asked.getByRole('checkbox', { name: /^Take out the .* that Frontdesk wrote$/ }),
    ).toBeChecked();
    await asked.getByRole('button', { name: 'Withdraw access', exact: true }).click();
    // What is ahead is taken out before Google is told.
    await page.getByRole('button', { name: 'Use Google Calendar', exact: true }).waitFor({ timeout: 60_000 });
    expect(await googleCalendars(client)).toEqual([]);
    expect((await google.titles()).length).toBeLessThan(written);
  });

  test('is offered by no installation without a client at Google, which its administrator is told', async () => {
    const page = await freshPage({ as: people.admin });
    await page.goto('/onboarding/flow');
    await heading(page, /Allow access|Choose a calendar/).waitFor();
    if (await heading(page, 'Choose a calendar').isVisible()) await press(page, 'Withdraw access');
    await heading(page, 'Allow access').waitFor();
    await page.getByText('Google Calendar is not offered here').waitFor();
    expect(await page.getByRole('button', { name: 'Use Google Calendar' }).count()).toBe(0);
    const owner = await freshPage({ as: people.owner });
    await owner.goto('/onboarding/flow');
    await heading(owner, /Allow access|Choose a calendar/).waitFor();
    if (await heading(owner, 'Choose a calendar').isVisible()) await press(owner, 'Withdraw access');
    await heading(owner, 'Allow access').waitFor();
    expect(await owner.getByText('Google Calendar').count()).toBe(0);
  });
});
