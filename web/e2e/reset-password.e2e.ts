import type { Page, Route } from '@playwright/test';
import { freshPage, heading } from './browser';
import { expect, test } from './test';

const RESET = '**/api/auth/reset-password';

const toasts = (page: Page) =>
  page.getByRole('region', { name: 'Session notifications' }).getByRole('paragraph');

async function choose(page: Page): Promise<void> {
  await page.goto('/reset-password?token=none');
  await heading(page, 'Choose a new password').waitFor();
  await page.getByLabel('New password', { exact: true }).fill('teapot and a saucer');
  await page.getByLabel('New password again').fill('teapot and a saucer');
  await page.getByRole('button', { name: 'Save password' }).click();
}

test.describe('choosing a new password', () => {
  test('fails in the door’s words, and in the page’s where it has none', async () => {
    const page = await freshPage();
    const answered = page.waitForResponse(RESET);
    await choose(page);
    const answer = await answered;
    expect(answer.status()).toBe(401);
    const { message } = (await answer.json()) as { message: string };
    await toasts(page).getByText(message, { exact: true }).waitFor();
    for (const unsaid of [
      (route: Route) => route.fulfill({ status: 400, json: {} }),
      (route: Route) => route.abort(),
    ]) {
      await page.route(RESET, unsaid);
      await choose(page);
      await toasts(page).getByText('Failed to reset your password', { exact: true }).waitFor();
      await page.unroute(RESET, unsaid);
    }
  });

  test('succeeds in the door’s words, and in the page’s where it has none', async () => {
    const page = await freshPage();
    for (const [answer, told] of [
      [{ message: 'All set.' }, 'All set.'],
      [{}, 'Your password has been reset successfully'],
    ] as const) {
      await page.route(RESET, (route) => route.fulfill({ json: answer }));
      await choose(page);
      await toasts(page).getByText(told, { exact: true }).waitFor();
      await heading(page, 'Sign in').waitFor();
    }
  });
});
