import type { Page } from '@playwright/test';

declare global {
  interface Window {
    opened: { began: number; ms: number };
  }
}

/** In the page: how long after the last click or key a dialog was drawn. */
function watch(): void {
  window.opened = { began: 0, ms: 0 };
  for (const type of ['pointerdown', 'keydown'] as const) {
    window.addEventListener(
      type,
      ({ timeStamp }) => Object.assign(window.opened, { began: timeStamp, ms: 0 }),
      {
        capture: true,
        passive: true,
      },
    );
  }
  new MutationObserver(() => {
    if (!window.opened.began || !document.querySelector('dialog[open]')) return;
    const { began } = window.opened;
    window.opened.began = 0;
    requestAnimationFrame(() => {
      const drawn = new MessageChannel();
      drawn.port1.onmessage = () => Object.assign(window.opened, { ms: performance.now() - began });
      drawn.port2.postMessage(null);
    });
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['open'] });
}

type Way = { what: string; open: (page: Page) => Promise<void> };

/** What a front desk opens all day, from the schedule. */
const WAYS: readonly Way[] = [
  { what: 'the visit', open: (page) => page.locator('[data-card]').first().click() },
  { what: 'New booking', open: (page) => page.getByRole('button', { name: 'New booking' }).first().click() },
  { what: 'the search', open: (page) => page.keyboard.press('Control+k') },
  { what: 'the shortcuts', open: (page) => page.keyboard.press('?') },
];

async function opening(page: Page, way: Way): Promise<number> {
  const dialog = page.getByRole('dialog').first();
  await way.open(page);
  await page.waitForFunction(() => window.opened.ms > 0);
  await dialog.waitFor();
  const taken = await page.evaluate(() => window.opened.ms);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  return taken;
}

/** How long each dialog takes: at its first opening, and the longest of three more; the page shows a day. */
export async function dialogTimes(page: Page): Promise<{ what: string; first: number; later: number }[]> {
  await page.evaluate(watch);
  const times = [];
  for (const way of WAYS) {
    const first = await opening(page, way);
    const later = [await opening(page, way), await opening(page, way), await opening(page, way)];
    times.push({ what: way.what, first, later: Math.max(...later) });
  }
  return times;
}
