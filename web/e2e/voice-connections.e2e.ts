import { freshPage, inside } from './browser';
import { BASE_URL, people, WILLOW } from './stack';
import { toldOfNoCall } from './telephone';
import { expect, test } from './test';

test.describe('voice connections', () => {
  test('are made for each platform, shown with their address, given a new secret and removed', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}/details?tab=integrations`);
    await inside(page);
    const line = `Line ${crypto.randomUUID().slice(0, 8)}`;
    await page.getByRole('button', { name: 'Connect a platform' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect a voice platform' });
    await dialog.getByLabel('Platform', { exact: true }).selectOption({ label: 'Twilio' });
    await dialog.getByLabel('Name of the line').fill(line);
    await dialog.getByLabel('Account SID').fill('AC1');
    await dialog.getByLabel('Auth token').fill('token_1234567890');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByText(/must be the account SID/).waitFor();
    await dialog.getByLabel('Account SID').fill('AC0123456789abcdef0123456789abcdef');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const webhook = page.getByLabel(`Webhook address of ${line}`, { exact: true });
    const [told, id] = [await webhook.inputValue(), /[0-9a-f-]{36}$/];
    expect(told.replace(id, '')).toBe(`${BASE_URL}/api/webhooks/voice/twilio/`);
    expect(told).toMatch(id);

    await page.getByRole('button', { name: `New secret of ${line}` }).click();
    const rotate = page.getByRole('dialog', { name: `New secret of ${line}` });
    await rotate.getByLabel('Auth token').fill('token_0987654321');
    await rotate.getByRole('button', { name: 'Replace' }).click();
    await page.getByText(`${line} uses the new secret.`).waitFor();

    await page.getByRole('button', { name: `Remove ${line}` }).click();
    const remove = page.getByRole('dialog', { name: `Remove ${line}?` });
    await remove.getByRole('button', { name: 'Remove the line' }).click();
    await webhook.waitFor({ state: 'detached' });
  });

  test('say what was delivered that names no call', async () => {
    await toldOfNoCall('agent_published');
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}/details?tab=integrations`);
    await inside(page);
    await page
      .getByText(/events? in the last \d+ days (was|were) not about a call, .*“agent_published”, today at/)
      .waitFor();
  });
});
