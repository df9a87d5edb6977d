import { test as base, expect } from '@playwright/test';
import { describePages, leaveAll, openIn, takeComplaints } from './browser';
import { shiftOwnClock } from './clock';

export { expect };

shiftOwnClock();

/** A test with a browser: what it opens is closed after it, and a page that complains fails it. */
export const test = base.extend<{ pages: undefined }>({
  pages: [
    async ({ browser }, use, testInfo) => {
      openIn(browser);
      await use(undefined);
      if (testInfo.status !== testInfo.expectedStatus) await describePages();
      await leaveAll();
      expect(takeComplaints()).toEqual([]);
    },
    { auto: true },
  ],
});
