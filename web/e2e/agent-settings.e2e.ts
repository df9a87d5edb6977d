import { CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { freshPage, heading, inside } from './browser';
import { playCall } from './local';
import { RestClient } from './rest';
import { BASE_URL, DATA, people, WILLOW } from './stack';
import { expect, test } from './test';

test.describe('agent settings', () => {
  test('are changed as a draft, previewed, published, compared and rolled back', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}/agent`);
    await inside(page);
    const publish = async (greeting: string) => {
      await page.getByRole('textbox', { name: 'Greeting' }).fill(greeting);
      await page.getByRole('button', { name: 'Save the draft' }).click();
      await page.getByRole('button', { name: 'Publish the draft' }).click();
      await page.getByText(/^Published version \d+\./).waitFor();
      await page.getByText('The draft says the same.').waitFor();
    };
    const first = `Hello ${crypto.randomUUID().slice(0, 8)}, {{salon}} here.`;
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Hello from {{owner}}');
    await page.getByRole('link', { name: 'Customers', exact: true }).first().click();
    const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText(/there is no such variable/).waitFor();
    await page.getByRole('textbox', { name: 'Greeting' }).fill(first);
    await page.getByRole('button', { name: /^Preview greeting/ }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText(first.replace('{{salon}}', 'Willow & Co')).waitFor();
    await publish(first);

    await page.getByRole('textbox', { name: 'Greeting' }).fill('Good day.');
    await page.getByRole('checkbox', { name: 'Cancel visits' }).setChecked(false, { force: true });
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByRole('button', { name: 'Show what changes' }).click();
    const changes = page.getByRole('list', { name: 'Changes' });
    await changes.getByText('Cancel visits').waitFor();
    await changes.getByText('yes → no').waitFor();
    await page.getByRole('button', { name: 'Publish the draft' }).click();
    await page.getByText('The draft says the same.').waitFor();

    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem');
    const earlier = versions.nth(1);
    await earlier.getByRole('button', { name: /^Publish again/ }).click();
    await page.getByText(/is published again, as version/).waitFor();
    await page.reload();
    await inside(page);
    expect(await page.getByLabel('Greeting').inputValue()).toBe(first);
    expect(await page.getByRole('checkbox', { name: 'Cancel visits' }).isChecked()).toBe(true);
  });

  test('are what the next call over our own agent runs on, and its page says which version', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}/agent`);
    await inside(page);
    const greeting = `Good day ${crypto.randomUUID().slice(0, 8)} from {{salon}}.`;
    await page.getByRole('textbox', { name: 'Greeting' }).fill(greeting);
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByRole('button', { name: 'Publish the draft' }).click();
    await page.getByText('The draft says the same.').waitFor();
    const version = (await page.getByText(/^Version \d+ is published/).textContent())?.match(/\d+/)?.[0];

    await playCall({ url: BASE_URL, data: DATA }, '--fast', '--platform', 'twilio');
    const client = await RestClient.as(people.owner);
    const { calls } = await client.call(CallService.method.listCalls, {
      businessId: WILLOW,
      pageSize: 1,
      filter: { platform: 'twilio' },
    });
    await page.goto(`/${WILLOW}/calls/${calls[0]?.id}`);
    await page
      .getByRole('list', { name: 'Conversation' })
      .getByText(greeting.replace('{{salon}}', 'Willow & Co'))
      .waitFor();
    await page.getByText('Agent version', { exact: true }).waitFor();
    expect(calls[0]?.agentVersion).toBe(Number(version));
  });

  test('are for owners, and the same for administrators', async () => {
    const manager = await freshPage({ as: people.manager });
    await manager.goto(`/${WILLOW}/agent`);
    await heading(manager, 'Access Restricted').waitFor();
    const admin = await freshPage({ as: people.admin });
    await admin.goto(`/admin/businesses/${WILLOW}/agent-settings`);
    await heading(admin, 'Agent settings').waitFor();
    await admin.getByLabel('Prompt').waitFor();
  });
});
