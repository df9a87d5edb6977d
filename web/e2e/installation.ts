import type { Page } from '@playwright/test';
import type { Runtime } from '../src/runtime';

/** Lets the page believe it runs in another installation; the door's own answer is changed on its way. */
export async function toldOtherwise(page: Page, change: Partial<Runtime>): Promise<void> {
  await page.route(
    ({ pathname }) => !/^\/(api|assets)\//.test(pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.continue();
      const answer = await route.fetch();
      const html = await answer.text();
      const body = html.replace(
        /(id="runtime-config"[^>]*>)(\{.*?\})(<)/,
        (_, before: string, told: string, after: string) =>
          before + JSON.stringify({ ...(JSON.parse(told) as Runtime), ...change }) + after,
      );
      await route.fulfill({ response: answer, body });
    },
  );
}
