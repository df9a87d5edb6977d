import type { Page } from '@playwright/test';

/** Waits until the page is drawn and no placeholder is left. */
export async function still(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[role=status] [aria-hidden]').length === 0);
}
