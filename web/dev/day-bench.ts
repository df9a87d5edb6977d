import { loadavg } from 'node:os';
import type { Browser, BrowserContext, CDPSession, Locator, Page } from '@playwright/test';
import { chromium } from '@playwright/test';
import { CHROMIUM } from '../e2e/chromium';
import { paths } from '../src/paths';
import { MANY_VISITS } from './day-answers';
import { dialogTimes } from './dialog-bench';
import { FixtureDoor } from './door';
import { NOW, PASSWORD, WILLOW } from './fixtures';

/** How much slower the target machine is than this one. */
const SLOWER = 4;
/** Lighthouse's phone on a mobile network. */
const MOBILE_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const FULLEST = {
  ListServices: 'many',
  GetDay: 'many',
} as const;
const OWNER = 'owner@demo.test';
const WITHIN_MS = 120_000;
const SETTLED_MS = 2000;
/** Longer than any first page takes. */
const PAINTED_MS = 8000;

type Paint = { type: string; ms: number };

/** In the page: when cards first stood there, and how long after each event the next frame was drawn. */
function watch(visits: number): void {
  const log = { first: 0, all: 0, paints: [] as Paint[], largest: 0 };
  Object.assign(window, { bench: log });
  const look = () => {
    const cards = document.querySelectorAll('[data-card]').length;
    if (cards > 0) log.first ||= performance.now();
    if (cards >= visits) log.all ||= performance.now();
    if (!log.all) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'wheel'] as const) {
    window.addEventListener(
      type,
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const drawn = new MessageChannel();
          drawn.port1.onmessage = () => log.paints.push({ type, ms: performance.now() - timeStamp });
          drawn.port2.postMessage(null);
        }),
      { capture: true, passive: true },
    );
  }
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) log.largest = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}

type Log = { first: number; all: number; paints: Paint[]; largest: number };

const logOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { bench: Log }).bench) as Promise<Log>;

/** The longest wait for a frame since it was last asked. */
const longest = (page: Page) =>
  page.evaluate(() => {
    const { paints } = (window as unknown as { bench: Log }).bench;
    return Math.max(0, ...paints.splice(0).map(({ ms }) => ms));
  });

async function slowPage(context: BrowserContext): Promise<{ page: Page; devtools: CDPSession }> {
  const page = await context.newPage();
  page.setDefaultTimeout(WITHIN_MS);
  await page.addInitScript(watch, MANY_VISITS);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return { page, devtools };
}

/** A browser context that holds the cookies of an earlier sign-in. */
async function remembered(browser: Browser, base: string, phone: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: base,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    viewport: phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    ...(phone ? { deviceScaleFactor: 2, isMobile: true, hasTouch: true } : {}),
  });
  const page = await context.newPage();
  await page.goto(paths.login);
  await page.getByLabel('E-mail').fill(OWNER);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== paths.login);
  await page.close();
  return context;
}

async function measureDay(browser: Browser, base: string): Promise<void> {
  const context = await remembered(browser, base, false);
  const { page } = await slowPage(context);
  await page.goto(`${paths.schedule(WILLOW)}?date=${NOW.toISOString().slice(0, 10)}`);
  await page.waitForFunction(() => (window as unknown as { bench: Log }).bench.all > 0);
  const { first, all } = await logOf(page);
  row('first visits of the day on the screen', '', ms(first));
  row(`all ${MANY_VISITS} visits on the screen`, '', ms(all));

  await page.waitForTimeout(SETTLED_MS);
  const card = page.locator('[data-card]').nth(21);
  // The first run compiles the code.
  row('longest wait for a frame in the first drag', '≤ 100 ms', ms(await draggingTakes(page, card)));
  const later = [await draggingTakes(page, card), await draggingTakes(page, card)];
  row('longest wait for a frame in the next two', '≤ 100 ms', ms(Math.max(...later)));

  await longest(page);
  for (let step = 0; step < 60; step += 1) await page.mouse.wheel(20, 12);
  await page.waitForTimeout(SETTLED_MS);
  row('longest wait for a frame while scrolling', '≤ 100 ms', ms(await longest(page)));
  await context.close();
}

/** Takes a card across the day and leaves it where it was; how long a frame was waited for at most. */
async function draggingTakes(page: Page, card: Locator): Promise<number> {
  const box = await card.boundingBox();
  if (!box) throw new Error('The card to be dragged is not on the screen.');
  const [x, y] = [box.x + 20, box.y + 10];
  await longest(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 60; step += 1) await page.mouse.move(x + 4 * step, y + 3 * step);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await page.waitForTimeout(SETTLED_MS);
  return longest(page);
}

/** Dialogs at the speed of this machine, and of one that is slower. */
async function measureDialogs(browser: Browser, base: string): Promise<void> {
  for (const slower of [1, SLOWER]) {
    const context = await remembered(browser, base, false);
    const { page, devtools } = await slowPage(context);
    await page.goto(`${paths.schedule(WILLOW)}?date=${NOW.toISOString().slice(0, 10)}`);
    await page.locator('[data-card]').first().waitFor();
    // What is fetched ahead comes once the page has settled.
    await page.waitForTimeout(SETTLED_MS);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
    for (const { what, first, later } of await dialogTimes(page)) {
      const speed = slower > 1 ? `, ${slower} times slower` : '';
      row(`opening ${what}, again (the first time)${speed}`, '≤ 150 ms', `${ms(later)} (${ms(first)})`);
    }
    await context.close();
  }
}

async function measurePhone(browser: Browser, base: string, path: string, who: boolean): Promise<void> {
  const context = who
    ? await remembered(browser, base, true)
    : await browser.newContext({
        baseURL: base,
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
        isMobile: true,
        hasTouch: true,
      });
  const name = `largest paint of ${who ? '/{businessId}' : path}, phone`;
  row(name, '≤ 1500 ms', ms(await largestPaint(context, path, false)));
  row(`${name}, again`, '', ms(await largestPaint(context, path, true)));
  await context.close();
}

/** Opens a page; `again`: with the files that the browser kept of the time before. */
async function largestPaint(context: BrowserContext, path: string, again: boolean): Promise<number> {
  const { page, devtools } = await slowPage(context);
  await devtools.send('Network.enable');
  if (!again) await devtools.send('Network.clearBrowserCache');
  await devtools.send('Network.emulateNetworkConditions', MOBILE_NETWORK);
  await page.goto(path);
  // Looking for something meanwhile would take the page's time.
  await page.waitForTimeout(PAINTED_MS);
  const { largest } = await logOf(page);
  await page.close();
  return largest;
}

const ms = (value: number) => `${Math.round(value)} ms`;
const row = (what: string, target: string, measured: string) =>
  console.log(`${what.padEnd(58)} ${target.padStart(12)} ${measured.padStart(34)}`);

/** Prints how quick the fullest day is, and a phone's first pages, beside the targets. */
export async function main(): Promise<void> {
  const door = new FixtureDoor();
  const base = await door.listen(0);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  });
  // Other programs on the machine influence every figure below.
  row('load of the machine before it', '', loadavg()[0]?.toFixed(1) ?? '');
  try {
    door.scenario = FULLEST;
    await measureDay(browser, base);
    door.scenario = {};
    await measureDialogs(browser, base);
    // Without the developer panels, as users see it.
    door.environment = 'production';
    await measurePhone(browser, base, paths.login, false);
    await measurePhone(browser, base, paths.business(WILLOW), true);
  } finally {
    await browser.close();
    door.close();
  }
}
