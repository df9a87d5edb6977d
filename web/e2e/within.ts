import type { Page } from '@playwright/test';

/** Goes to another address without loading the page anew, as a link within it does. */
export async function within(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, path);
}
