import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose result depends on the colour mode. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** axe's serious and critical violations on the page, in light and dark: one tree, in two sets of colours. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found: string[] = [];
  for (const [look, rules] of [
    ['light', RULES],
    ['dark', RULES_OF_COLOUR],
  ] as const) {
    await page.emulateMedia({ colorScheme: look });
    await page.locator(`html.${look}`).waitFor();
    await animationsOver(page);
    found.push(...(await violations(page, rules)).map((violation) => `in the ${look}, ${violation}`));
  }
  return found;
}

async function violations(page: Page, runOnly: readonly string[]): Promise<string[]> {
  const { violations } = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: { run(root: Document, options: object): Promise<AxeResults> } }).axe.run(
        document,
        { runOnly, resultTypes: ['violations'] },
      ),
    runOnly,
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
    // An animation that was removed has ended as well.
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => !endless(animation))
        .map((animation) => animation.finished),
    );
  });
}
