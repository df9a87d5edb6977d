import type { Locator, Page } from '@playwright/test';

/** Opens a panel for developers. */
export async function openPanel(page: Page, name: 'Auth' | 'Cache'): Promise<Locator> {
  await page.getByRole('button', { name: `${name} panel` }).click();
  const panel = page.getByRole('region', { name, exact: true });
  await panel.waitFor();
  return panel;
}

/** What stands beside a name in a list of descriptions. */
export const fact = (place: Locator | Page, name: string): Locator =>
  place.getByText(name, { exact: true }).locator('xpath=following-sibling::dd[1]');
