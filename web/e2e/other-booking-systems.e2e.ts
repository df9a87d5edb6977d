import type { Locator, Page } from '@playwright/test';
import { ProviderConnectionService } from '../src/gen/frontdesk/calendarsync/v1/provider_pb';
import { freshPage, inside } from './browser';
import { useProviderFakes } from './provider-fakes';
import { RestClient } from './rest';
import { BASE_URL, people, WILLOW } from './stack';
import { expect, test } from './test';

const fakes = useProviderFakes();

async function disconnected(): Promise<void> {
  const owner = await RestClient.as(people.owner);
  const { connections } = await owner.call(ProviderConnectionService.method.listProviderConnections, {
    businessId: WILLOW,
  });
  for (const { id: connectionId } of connections)
    await owner.call(ProviderConnectionService.method.disconnectProvider, {
      businessId: WILLOW,
      connectionId,
    });
}

/** The dialog that connects a system, with some of its fields filled. */
async function connecting(page: Page, system: string, fields: Record<string, string>): Promise<Locator> {
  await page.goto(`/admin/provider-credentials/${WILLOW}`);
  await inside(page);
  await page.getByRole('button', { name: 'Connect a booking system' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a booking system' });
  await dialog.getByLabel('Booking system', { exact: true }).selectOption(system);
  for (const [label, value] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(value);
  return dialog;
}

const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).click();

test.describe('a booking system of others', () => {
  test.beforeEach(disconnected);
  test.afterEach(disconnected);

  test('that a profile describes asks for what it needs, names what is wrong, and is read', async () => {
    const page = await freshPage({ as: people.admin });
    const dialog = await connecting(page, 'Phorest', {
      Name: 'Phorest of the salon',
      'API password': 'not the password',
      Server: `${fakes.url}/third-party-api-server/api/business/`,
      'API user name': 'global/desk@example.com',
      'Business id': 'eTC3QY5W3pHmGHezKfxJw',
      'Client id': 'client-walk-in',
    });
    await press(dialog, 'Connect');
    await dialog.getByText('Enter the Branch id.').waitFor();
    await dialog.getByLabel('Branch id', { exact: true }).fill('SE-J0emUgQnya14mOGdQSw');
    await press(dialog, 'Connect');
    await dialog.getByText('refused by the booking system').waitFor();
    await dialog.getByLabel('API password', { exact: true }).fill('phorest-api-password');
    await press(dialog, 'Connect');
    await page.getByRole('heading', { name: 'Phorest of the salon' }).waitFor();
    await press(page, 'Test connection');
    await page.getByText('The connection works. The account is Willow.').first().waitFor();
    expect(await page.content()).not.toContain('phorest-api-password');

    await page.goto(`/admin/provider-sync?business=${WILLOW}`);
    await inside(page);
    await press(page, 'Read now');
    await page.getByText('2 employees, 2 services, 0 appointments of mapped employees. 4 new.').waitFor();
    // The demo salon has a Mia Larsen, too.
    await page.getByRole('button', { name: 'Map to Mia Larsen for Mia Larsen there' }).waitFor();
  });

  test('that is Square is connected, and says where it pushes to', async () => {
    const page = await freshPage({ as: people.admin });
    const dialog = await connecting(page, 'Square', {
      Name: 'Square of the salon',
      'Access token': 'EAAA-square-access-token',
      Server: `${fakes.url}/`,
      'Location id': 'LOCATION1',
    });
    await press(dialog, 'Connect');
    await page.getByRole('heading', { name: 'Square of the salon' }).waitFor();
    const webhook = page.getByLabel('Webhook address of Square of the salon', { exact: true });
    const [told, id] = [await webhook.inputValue(), /[0-9a-f-]{36}$/];
    expect(told.replace(id, '')).toBe(`${BASE_URL}/api/webhooks/providers/`);
    expect(told).toMatch(id);
    // The key exists only once the webhook does; the token is not entered again for it.
    await press(page, 'Enter the signature key');
    const replacing = page.getByRole('dialog', { name: 'Replace the credentials of Square of the salon' });
    await replacing.getByLabel('Signature key of the webhook', { exact: true }).fill('a key of the webhook');
    await press(replacing, 'Replace');
    await page.getByText('Replaced the credentials of Square of the salon.').first().waitFor();
    await page.getByText('the key that it signs them with is known').waitFor();
    await expect(page.getByRole('button', { name: 'Enter the signature key' })).toHaveCount(0);
  });
});
