import { freshPage, heading } from './browser';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

test.describe('a dialog', () => {
  test('stays while its action runs, shows why it failed, and gives the focus back', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/my/account');
    let refuse: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/api/v1/me/sessions:signOutEverywhere', async (route) => {
      await held;
      await route.fulfill({ status: 503, json: { code: 14, message: 'Too busy for that.' } });
    });
    const opener = page.getByRole('button', { name: 'Sign out everywhere' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' });
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await dialog.getByRole('button', { name: 'Sign out everywhere', disabled: true }).waitFor();
    for (let time = 0; time < 3; time += 1) await page.keyboard.press('Escape');
    refuse();
    await dialog.getByRole('alert').getByText('Too busy for that.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
  });
});

test.describe('the pages of signing in', () => {
  test('pass the e-mail address on, but not in their URLs, and move the focus to the next field', async () => {
    const page = await freshPage();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name') ?? '');
    await page.goto(`/${WILLOW}/services`);
    await heading(page, 'Sign in').waitFor();
    await expect.poll(focused).toBe('email');
    await page.getByLabel('E-mail').fill(people.owner);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(people.owner);
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await heading(page, 'Sign in').waitFor();
    await expect.poll(focused).toBe('password');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading(page, 'Create an account').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(people.owner);
    await expect.poll(focused).toBe('name');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(people.owner);
  });
});
