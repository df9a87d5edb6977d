import type { Page } from '@playwright/test';
import { freshPage, inside } from './browser';
import { people, WILLOW } from './stack';
import { onTheLine } from './telephone';
import { expect, test } from './test';

/** A laptop and a tablet at 200 %. */
const SCREENS = [
  { width: 720, height: 450 },
  { width: 512, height: 384 },
];

const PAGES = {
  'the desk': ['', '/schedule', '/inbox', '/customers', '/calls', '/waitlist', '/team'],
  managers: [
    '/services',
    '/items',
    '/intelligence',
    '/insights',
    '/members',
    '/details',
    '/details?tab=hours',
  ],
};

/** How much of the screen's height is left for the page, between what stays at its top and at its foot. */
const freeHeight = (page: Page) =>
  page.evaluate(() => {
    const foot = [
      ...document.querySelectorAll('section[aria-label="Calls on the line"], nav[aria-label="Main"]'),
    ]
      .map((part) => part.getBoundingClientRect())
      .filter(({ width, height }) => height > 0 && width > innerWidth / 2)
      .map(({ top }) => top);
    const head = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
    return Math.min(innerHeight, ...foot) - head;
  });

let hangUp: () => Promise<unknown>;
test.beforeAll(async () => {
  hangUp = await onTheLine();
});
test.afterAll(() => hangUp());

for (const [whose, paths] of Object.entries(PAGES)) {
  test(`at 200 % no page of ${whose} scrolls sideways, and a caller on the line leaves room for it`, async () => {
    const page = await freshPage({ as: people.owner });
    for (const path of paths) {
      await page.goto(`/${WILLOW}${path}`);
      await inside(page);
      for (const { width, height } of SCREENS) {
        await page.setViewportSize({ width, height });
        await page.getByRole('button', { name: /^\d+ calls? on the line: / }).waitFor();
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([path, width, wider]).toEqual([path, width, 0]);
        expect(await freeHeight(page)).toBeGreaterThan(height / 2);
      }
    }
  });
}
