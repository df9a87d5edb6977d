import type { Page } from '@playwright/test';
import { enter, freshPage, heading } from './browser';
import { LINKS, mailed } from './mail';
import { useProductionStack } from './production-stack';
import { PASSWORD, people } from './stack';
import { expect, test } from './test';

const stack = useProductionStack();

const NEW_PASSWORD = 'teapot and a saucer';

async function atAccount(): Promise<Page> {
  const page = await freshPage({ at: stack().url });
  await page.goto('/login');
  await enter(page, people.manager);
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/my/account');
  await heading(page, 'Your account').waitFor();
  return page;
}

async function changePassword(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill(from);
  await page.getByLabel('New password').fill(to);
  await page.getByRole('button', { name: 'Save password' }).click();
}

test.describe('on a device that is not trusted yet', () => {
  test('a password is changed after the mailed code, then without one, until the trust is revoked', async () => {
    const page = await atAccount();
    const dialog = page.getByRole('dialog', { name: 'Is this your device?' });
    const saved = page.getByText('Password saved. Every other browser is signed out.');

    await changePassword(page, PASSWORD, NEW_PASSWORD);
    const code = dialog.getByLabel('Code from the e-mail');
    const wanted = await mailed(people.manager, LINKS.deviceCode, { folder: stack().mail });
    await code.fill(wanted === '000000' ? '000001' : '000000');
    await dialog.getByText('That code is wrong or no longer valid.').waitFor();
    await code.fill(wanted);
    await dialog.waitFor({ state: 'detached' });
    await saved.waitFor();

    await saved.waitFor({ state: 'detached' });
    await changePassword(page, NEW_PASSWORD, PASSWORD);
    await saved.waitFor();
    expect(await dialog.count()).toBe(0);

    const devices = page.getByRole('list', { name: 'Trusted devices' });
    await devices.getByText('This browser', { exact: true }).waitFor();
    await page.getByText('You trusted a device.').waitFor();
    await devices.getByRole('button', { name: /^Stop trusting/ }).click();
    await page.getByText('No trusted devices').waitFor();

    await changePassword(page, PASSWORD, NEW_PASSWORD);
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('This needs a device you trust.').waitFor();
  });
});
