import type { Page, Route } from '@playwright/test';
import { expect } from '@playwright/test';
import { until } from './until';

export type Held = {
  /** Resolves when so many requests wait here. */
  arrived: (count?: number) => Promise<void>;
  /** From now on all are answered. */
  letGo: () => Promise<void>;
};

/** Holds back what an address answers, until it is let go. */
export async function held(page: Page, address: RegExp): Promise<Held> {
  const waiting: Route[] = [];
  let open = false;
  await page.route(address, async (route) => {
    if (open) return route.continue();
    waiting.push(route);
  });
  return {
    arrived: (count = 1) => until(() => expect(waiting).toHaveLength(count)),
    letGo: async () => {
      open = true;
      await Promise.all(waiting.splice(0).map((route) => route.continue()));
    },
  };
}
