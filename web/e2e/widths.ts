import type { Page } from '@playwright/test';

const HEIGHT = 900;

/** Pages by their paths, each shown on a desk and on a phone: opened in one of the widths, then resized to the other. */
export async function eachInBothWidths(
  page: Page,
  paths: readonly string[],
  check: (path: string, width: number) => Promise<void>,
): Promise<void> {
  let widths = [1280, 390];
  for (const path of paths) {
    const [opened = 0] = widths;
    await page.setViewportSize({ width: opened, height: HEIGHT });
    await page.goto(path);
    for (const width of widths) {
      await resize(page, width);
      await check(path, width);
    }
    // The next one is opened in the width that stands.
    widths = widths.toReversed();
  }
}

/** Makes the window so wide, and waits until the page is drawn for it. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  // The first frame notices the width, the second is drawn for it.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}
