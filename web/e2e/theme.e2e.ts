import type { Locator, Page } from '@playwright/test';
import { atHome, freshPage, heading } from './browser';
import { MIA } from './own-day';
import { openPanel } from './panel';
import { RestClient } from './rest';
import { employeeNamed, nextMonday } from './salon';
import { people, WILLOW } from './stack';
import { still } from './still';
import { expect, test } from './test';
import { eachInBothWidths, resize } from './widths';

/** What Chromium made of a style. */
async function styles(element: Locator, ...names: string[]): Promise<string[]> {
  await element.waitFor();
  return element.evaluate((node, wanted) => {
    const computed = getComputedStyle(node);
    return wanted.map((name) => computed.getPropertyValue(name));
  }, names);
}

const PRIMARY = 'rgb(20, 140, 132)';
const SECONDARY = 'rgb(24, 116, 136)';
const WHITE = 'rgb(255, 255, 255)';

test.describe('the theme', () => {
  test('paints contained buttons primary with white text, large and bold enough to read', async () => {
    const page = await freshPage();
    await page.goto('/login');
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    const [background, colour, radius, size, weight] = await styles(
      button,
      'background-color',
      'color',
      'border-radius',
      'font-size',
      'font-weight',
    );
    expect([background, colour, radius]).toEqual([PRIMARY, WHITE, '8px']);
    expect(Number.parseFloat(size ?? '')).toBeGreaterThanOrEqual(18.66);
    expect(weight).toBe('700');
  });

  test('rounds text fields by 4px', async () => {
    const page = await freshPage();
    await page.goto('/login');
    expect(await styles(page.getByLabel('E-mail'), 'border-radius')).toEqual(['4px']);
  });

  test('writes links in the secondary colour, and in a lighter one in the dark', async () => {
    for (const { dark, colour } of [
      { dark: false, colour: SECONDARY },
      { dark: true, colour: 'rgb(108, 197, 214)' },
    ]) {
      const page = await freshPage({ dark });
      await page.goto('/login');
      expect(await styles(page.getByRole('link', { name: 'Privacy' }), 'color')).toEqual([colour]);
    }
  });

  test('gives the bar its background, and what is written on it its colour', async () => {
    const page = await atHome(people.owner);
    const bar = page.locator('header').first();
    expect(await styles(bar, 'background-color', 'color')).toEqual(['rgb(242, 242, 242)', 'rgb(51, 51, 51)']);
    const crumb = bar.getByRole('link').first();
    expect(await styles(crumb, 'color')).toEqual(['rgb(51, 51, 51)']);
  });

  test('sizes headings and text alike on a desk and a phone', async () => {
    for (const width of [1280, 390]) {
      const page = await atHome(people.owner, { width });
      const main = page.getByRole('main');
      const first = main.getByRole('heading', { level: 1 });
      expect(await styles(first, 'font-size', 'font-weight')).toEqual(['32px', '600']);
      for (const path of [`/${WILLOW}`, `/${WILLOW}/calls`]) {
        await page.goto(path);
        await page.locator(`a[href^="/${WILLOW}/calls/"]`).first().waitFor();
        await openPanel(page, 'Cache');
        // Of the page, and of what floats over it.
        for (const second of await page.getByRole('heading', { level: 2 }).all())
          expect(await styles(second, 'font-size', 'font-weight')).toEqual(['24px', '500']);
      }
      expect(await styles(page.locator('body'), 'font-size')).toEqual(['16px']);
    }
  });
});

const STANDARD = { H1: ['32px', '600'], H2: ['24px', '500'] };

/** Headings of the first two levels that look otherwise than the others. */
async function oddHeadings(page: Page): Promise<string[]> {
  // The component library shows placeholders for ever.
  if (page.url().endsWith('/components')) await page.getByRole('heading', { level: 1 }).first().waitFor();
  else await still(page);
  return page.locator('h1, h2').evaluateAll(
    (headings, standard) =>
      headings
        .filter((node) => {
          const [size, weight] = standard[node.tagName as keyof typeof standard];
          const { fontSize, fontWeight } = getComputedStyle(node);
          return fontSize !== size || fontWeight !== weight;
        })
        .map((node) => `${node.tagName} ${node.textContent}`),
    STANDARD,
  );
}

const WORKPLACE = [
  '',
  '/schedule',
  '/schedule?panel=waitlist',
  '/calls',
  '/customers',
  '/customers/import',
  '/appointments/import',
  '/items',
  '/services',
  '/services?tab=resources',
  '/dependencies',
  '/pairings',
  '/schedule-check',
  '/appointment-sync',
  '/consistency',
  '/provider-sync',
  '/provider-availability',
  '/provider-credentials',
  '/intelligence',
  '/waitlist',
  '/inbox',
  '/agent',
  '/insights',
  '/team',
  '/details',
  '/details?tab=hours',
  '/details?tab=team',
  '/details?tab=agent',
  '/details?tab=integrations',
  '/details?tab=audit',
  '/members',
];

test.describe('every page', () => {
  for (const { whose, as, paths } of [
    {
      whose: 'strangers',
      as: undefined,
      paths: [
        '/login',
        '/register',
        '/forgot-password',
        '/reset-password?token=x',
        '/auth/callback?error=access_denied',
        '/onboarding',
        '/onboarding/flow',
        '/onboarding/oauth-mock?state=x',
        '/privacy',
        '/debug',
        '/demo',
        '/components',
        '/nowhere',
      ],
    },
    {
      whose: 'a salon',
      as: people.owner,
      paths: [...WORKPLACE.map((path) => `/${WILLOW}${path}`), '/my/businesses', '/my/account', '/admin'],
    },
    {
      whose: 'administrators',
      as: people.admin,
      paths: [
        '/admin',
        '/admin/businesses',
        '/admin/businesses/create',
        `/admin/businesses/${WILLOW}/agent-settings`,
        '/admin/biz',
        '/admin/event-tracking',
        '/admin/employee-management',
        '/admin/salon-scheduling',
        '/admin/schedule',
        '/admin/insights',
      ],
    },
  ]) {
    test(`sizes the headings of ${whose} alike, on a desk and a phone`, async () => {
      test.setTimeout(180_000);
      const page = await freshPage({ ...(as && { as }) });
      await eachInBothWidths(page, paths, async (path, width) => {
        expect([path, width, await oddHeadings(page)]).toEqual([path, width, []]);
      });
    });
  }

  test('sizes the headings of a week on a phone alike', async () => {
    const client = await RestClient.as(people.owner);
    const mia = await employeeNamed(client, MIA);
    const page = await freshPage({ as: people.owner, width: 390 });
    await page.goto(`/${WILLOW}/schedule?date=${nextMonday()}&employee=${mia}`);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    expect(await oddHeadings(page)).toEqual([]);
  });

  test('sizes the heading of a page that can’t be shown like any other', async () => {
    const page = await freshPage({ as: people.employee });
    await page.route('**/api/me/calendars', (route) =>
      route.fulfill({ status: 400, json: { code: 3, message: 'Not today.' } }),
    );
    await page.goto('/onboarding/flow');
    await heading(page, /can’t be shown/).waitFor();
    expect(await oddHeadings(page)).toEqual([]);
  });
});

test.describe('the layout', () => {
  test('gives cards more room from 600 on', async () => {
    const page = await freshPage();
    await page.goto('/login');
    const card = page.locator('main > div').filter({ has: page.getByRole('heading', { level: 1 }) });
    await resize(page, 599);
    const [narrow] = await styles(card, 'padding-left');
    await resize(page, 600);
    expect([narrow, (await styles(card, 'padding-left'))[0]]).toEqual(['20px', '32px']);
  });

  test('moves the navigation to the side from 900 on', async () => {
    const page = await atHome(people.owner);
    const side = page.locator('aside').filter({ has: page.locator('nav') });
    await resize(page, 899);
    await side.waitFor({ state: 'hidden' });
    await resize(page, 900);
    await side.waitFor({ state: 'visible' });
  });

  test('sets a business’s home in two columns from 1200 on', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}`);
    // A card takes the place of its skeleton, heading and all: what is measured has to stay.
    await page.getByRole('listitem').filter({ hasText: 'Monday' }).waitFor();
    await heading(page, 'Next appointments').waitFor();
    const apart = () =>
      page.evaluate(() => {
        const headings = [...document.querySelectorAll('h2')];
        const left = (name: string) =>
          headings.find((one) => one.textContent === name)?.getBoundingClientRect().x ?? Number.NaN;
        return left('Opening hours') - left('Next appointments');
      });
    await resize(page, 1199);
    await expect.poll(apart).toBe(0);
    await resize(page, 1200);
    await expect.poll(apart).toBeGreaterThan(0);
  });
});
