import type { Page } from '@playwright/test';

/** The server does what the first such request asks for, and its answer never arrives. */
export async function loseAnswer(page: Page, address: RegExp): Promise<void> {
  await page.route(
    address,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}
