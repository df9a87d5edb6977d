import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freshPage, signedIn, useBrowser } from './browser';
import { people, WILLOW } from './stack';

useBrowser();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds that keeps people out. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (rules) =>
      (window as unknown as { axe: { run(root: Document, options: object): Promise<AxeResults> } }).axe.run(
        document,
        {
          runOnly: rules,
        },
      ),
    RULES,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** Half-shown things have half their contrast. */
async function animationsOver(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const endless = (animation: Animation) =>
      animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY;
    // One that is taken away meanwhile is over as well.
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => !endless(animation))
        .map((animation) => animation.finished),
    );
  });
}

/** The page stands, with nothing on its way any more. */
async function still(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[role=status] [aria-hidden]').length === 0);
  await animationsOver(page);
}

describe.each([
  { look: 'light', dark: false },
  { look: 'dark', dark: true },
])('in the $look', ({ dark }) => {
  it.each([
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password',
    '/reset-password?token=x',
    '/onboarding',
    '/privacy',
    '/debug',
    '/nowhere',
  ])('%s keeps nobody out', async (path) => {
    const page = await freshPage({ dark });
    await page.goto(path);
    await still(page);
    expect(await barriers(page)).toEqual([]);
  });

  it.each([1280, 390])('the pages of a business keep nobody out, %i wide', async (width) => {
    const page = await signedIn(people.owner, { dark, width });
    for (const path of [
      `/${WILLOW}`,
      `/${WILLOW}/calls`,
      `/${WILLOW}/services`,
      `/${WILLOW}/members`,
      '/my/businesses',
      '/my/account',
      '/admin',
    ]) {
      await page.goto(path);
      await still(page);
      expect([path, width, await barriers(page)]).toEqual([path, width, []]);
    }
    await page.goto(`/${WILLOW}`);
    await page.getByRole('list').getByRole('link').first().waitFor();
    await page.locator(`a[href^="/${WILLOW}/appointments/"]`).first().click();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await still(page);
    expect(await barriers(page)).toEqual([]);
    await page.goto(`/${WILLOW}/calls`);
    await page.locator(`a[href^="/${WILLOW}/calls/"]`).first().click();
    await page.getByRole('heading', { name: 'Conversation' }).waitFor();
    await still(page);
    expect(await barriers(page)).toEqual([]);
  });

  it.each([/^Account of/, /^Business:/])('the menu %s keeps nobody out', async (name) => {
    const page = await signedIn(people.owner, { dark });
    await page.getByRole('button', { name }).click();
    await page.getByRole('menu').waitFor();
    await animationsOver(page);
    expect(await barriers(page)).toEqual([]);
  });

  it('the pages of an administrator keep nobody out', async () => {
    const page = await signedIn(people.admin, { dark });
    for (const path of ['/admin', '/admin/businesses']) {
      await page.goto(path);
      await still(page);
      expect([path, await barriers(page)]).toEqual([path, []]);
    }
  });
});
