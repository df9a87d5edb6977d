import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM } from '../e2e/chromium';
import { paths } from '../src/paths';
import { ACCOUNT_SHOTS } from './account-shots';
import { CATALOGUE_SHOTS } from './catalogue-shots';
import { CUSTOMER_SHOTS } from './customer-shots';
import { DESK_SHOTS } from './desk-shots';
import { FixtureDoor } from './door';
import { id, NOW, OTHER, PASSWORD, WILLOW } from './fixtures';
import { SALON_SHOTS } from './salon-shots';
import type { Shot } from './shot';
import { STATE_SHOTS } from './state-shots';

type Look = { name: string; width: number; height: number; scheme: 'light' | 'dark'; zone?: string };

const LOOKS: Look[] = [
  { name: 'desktop-light', width: 1440, height: 900, scheme: 'light' },
  { name: 'desktop-dark', width: 1440, height: 900, scheme: 'dark' },
  { name: 'tablet-light', width: 820, height: 1100, scheme: 'light' },
  { name: 'narrow-light', width: 1024, height: 768, scheme: 'light' },
  // A desktop enlarged to 200 %.
  { name: 'low-light', width: 720, height: 450, scheme: 'light' },
  { name: 'phone-light', width: 390, height: 844, scheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, scheme: 'dark' },
];

/** The salon's day and a call, for `docs/day.png` and `docs/call.png`. */
const README = { day: 'readme-day', call: 'readme-call' };

const owner = 'owner@demo.test';
const SHOTS: Shot[] = [
  { name: 'welcome', path: paths.root },
  { name: 'login', path: paths.login },
  { name: 'demo', path: paths.demo },
  { name: 'debug', path: paths.debug },
  { name: 'onboarding-flow', path: paths.onboardingFlow() },
  { name: 'onboarding-consent', path: paths.onboardingConsent('x') },
  { name: 'onboarding-refused', path: paths.onboardingCallback({ state: 'x', error: 'access_denied' }) },
  { name: 'login-wrong', path: paths.login, act: (page) => signIn(page, owner, 'wrong') },
  { name: 'reset', path: `${paths.resetPassword}?token=abc` },
  ...ACCOUNT_SHOTS,
  { name: 'home', path: paths.business(WILLOW), as: owner },
  {
    name: 'home-elsewhere',
    path: paths.business(WILLOW),
    as: owner,
    zone: 'America/New_York',
    looks: ['desktop-light'],
  },
  { name: 'home-guest', path: paths.business(WILLOW), as: 'guest@demo.test' },
  {
    name: 'home-empty',
    path: paths.business(WILLOW),
    as: owner,
    looks: ['desktop-light', 'phone-light'],
    scenario: {
      GetDay: 'empty',
      ListAppointments: 'empty',
      ListCalls: 'empty',
      ListConflicts: 'empty',
      GetOpeningHours: 'empty',
      ListEmployees: 'empty',
      ListCalendars: 'empty',
    },
  },
  {
    name: 'home-broken',
    path: paths.business(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    scenario: {
      GetDay: 'broken',
      ListAppointments: 'broken',
      ListCalls: 'broken',
      ListConflicts: 'broken',
      ListCalendars: 'broken',
      SearchAvailability: 'broken',
    },
  },
  {
    name: 'home-loading',
    path: paths.business(WILLOW),
    as: owner,
    looks: ['desktop-light', 'desktop-dark'],
    scenario: {
      GetDay: 'silent',
      ListAppointments: 'silent',
      ListCalls: 'silent',
      GetOpeningHours: 'silent',
    },
  },
  { name: 'calls', path: paths.calls(WILLOW), as: owner },
  {
    name: 'calls-many',
    path: paths.calls(WILLOW),
    as: owner,
    scenario: { ListCalls: 'many' },
    looks: ['desktop-light'],
  },
  {
    name: 'call',
    path: paths.call(WILLOW, id(5, 2)),
    as: owner,
    act: (page) => page.locator('summary').nth(1).click(),
  },
  {
    name: 'call-live',
    path: paths.call(WILLOW, id(5, 1)),
    as: owner,
    looks: ['desktop-light', 'phone-light'],
  },
  { name: 'appointment', path: paths.appointment(WILLOW, id(3, 3)), as: owner },
  {
    name: 'appointment-cancel',
    path: paths.appointment(WILLOW, id(3, 4)),
    as: owner,
    act: (page) => page.getByRole('button', { name: 'Cancel appointment' }).click(),
  },
  { name: 'services', path: paths.services(WILLOW), as: owner },
  { name: 'services-guest', path: paths.services(WILLOW), as: 'guest@demo.test', looks: ['desktop-light'] },
  ...SALON_SHOTS,
  ...DESK_SHOTS,
  ...CUSTOMER_SHOTS,
  ...CATALOGUE_SHOTS,
  ...STATE_SHOTS,
  {
    name: README.day,
    path: paths.schedule(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    production: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Fold the calls' }).click();
      await page.evaluate(() => window.scrollTo(0, 0));
    },
  },
  {
    name: README.call,
    path: paths.call(WILLOW, id(5, 2)),
    as: owner,
    looks: ['desktop-light'],
    production: true,
  },
  { name: 'my-businesses', path: paths.myBusinesses, as: owner },
  { name: 'admin', path: paths.admin, as: 'admin@demo.test' },
  { name: 'admin-businesses', path: paths.adminBusinesses, as: 'admin@demo.test' },
  { name: 'restricted', path: paths.admin, as: owner, looks: ['desktop-light', 'phone-dark'] },
  { name: 'not-found', path: '/nowhere', looks: ['desktop-light', 'phone-dark'] },
  { name: 'not-member', path: paths.business(OTHER), as: owner, looks: ['desktop-light'] },
  {
    name: 'menu-user',
    path: paths.calls(WILLOW),
    as: owner,
    act: (page) => page.getByRole('button', { name: /^Account/ }).click(),
  },
  {
    name: 'menu-business',
    path: paths.calls(WILLOW),
    as: owner,
    act: (page) =>
      page
        .getByRole('button', { name: /^Business/ })
        .locator('visible=true')
        .click(),
  },
  {
    name: 'panel-cache',
    path: paths.services(WILLOW),
    as: owner,
    act: (page) => page.getByRole('button', { name: 'Cache panel' }).click(),
  },
  {
    name: 'panel-cache-broken',
    path: paths.services(WILLOW),
    as: owner,
    scenario: { ClearCache: 'broken' },
    looks: ['desktop-light', 'phone-dark'],
    act: async (page) => {
      await page.getByRole('button', { name: 'Cache panel' }).click();
      await page.getByRole('button', { name: 'Clear cache' }).click();
    },
  },
  {
    name: 'panel-auth',
    path: paths.services(WILLOW),
    as: owner,
    act: async (page) => {
      await page.getByRole('button', { name: 'Auth panel' }).click();
      await page.getByRole('button', { name: 'OAuth configuration' }).click();
    },
  },
];

/** Waits until the page is drawn and no placeholder is left. */
async function still(page: Page): Promise<void> {
  const stands = () =>
    document.querySelector('h1, main [role=alert]') !== null &&
    document.querySelectorAll('[role=status] [aria-hidden]').length === 0;
  await page.waitForFunction(stands, null, { timeout: 20_000 }).catch(() => undefined);
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** A server for screenshots, with its signed-in browser contexts. */
type Studio = { browser: Browser; base: string; door: FixtureDoor; signedIn: Map<string, SignedIn> };
type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

/** More than these would slow each other down. */
const STUDIOS = 2;
const PATIENCE_MS = 10_000;

async function take({ browser, base, door, signedIn }: Studio, shot: Shot, look: Look): Promise<void> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.scheme,
    locale: 'en-GB',
    timezoneId: shot.zone ?? 'Europe/London',
    hasTouch: look.width < 900,
    deviceScaleFactor: look.width < 600 ? 2 : 1,
    ...(shot.as && signedIn.has(shot.as) ? { storageState: signedIn.get(shot.as) } : {}),
  });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    const page = await context.newPage();
    const complain = (text: string) => console.log(`${shot.name}.${look.name}: ${text}`);
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 40/.test(message.text())) complain(message.text());
    });
    page.on('pageerror', (error) => complain(error.message));
    await page.clock.install({ time: NOW });
    door.scenario = {};
    door.environment = shot.production ? 'production' : 'development';
    if (shot.as && !signedIn.has(shot.as)) {
      await page.goto(paths.login);
      await signIn(page, shot.as, PASSWORD);
      await page.waitForURL((url) => url.pathname !== paths.login);
      signedIn.set(shot.as, await context.storageState());
    }
    door.scenario = shot.scenario ?? {};
    await page.goto(shot.path);
    await page.locator('h1, [role=status]').first().waitFor({ state: 'attached' });
    if (shot.path === paths.components) await page.locator('h1').first().waitFor();
    await page.waitForTimeout(700);
    // A screenshot of placeholders waits for nothing.
    const placeholders = shot.path === paths.components || Object.values(door.scenario).includes('silent');
    if (!placeholders) await still(page);
    await shot.act?.(page);
    // Its code may still be loading.
    if (/-dialog$/.test(shot.name)) await page.locator('dialog[open], [role=menu]').first().waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({
      path: `${OUT}/${shot.name}.${look.name}.png`,
      // Finishes animations first, however slow the machine is.
      animations: 'disabled',
      fullPage: !AS_SEEN.test(shot.name),
    });
  } finally {
    await context.close();
  }
}

/** Screenshots of the viewport instead of the whole page. */
const AS_SEEN = /^(menu|panel|calls-many|readme)|-(cancel|dialog|focus|folded)/;
const OUT = fileURLToPath(new URL('../shots', import.meta.url));

async function studio(browser: Browser): Promise<Studio> {
  const door = new FixtureDoor();
  return { browser, base: await door.listen(0), door, signedIn: new Map() };
}

/** Takes all screenshots, or those whose names begin with an argument. A failure does not stop the others. */
export async function main(wanted: string[]): Promise<void> {
  if (wanted.length === 0) rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const due = SHOTS.filter(
    ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
  )
    .flatMap((shot) => LOOKS.map((look) => ({ shot, look })))
    .filter(({ shot, look }) => !shot.looks || shot.looks.includes(look.name));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  });
  const studios = await Promise.all(Array.from({ length: STUDIOS }, () => studio(browser)));
  const failed: string[] = [];
  const queue = due.values();
  try {
    await Promise.all(
      studios.map(async (here) => {
        for (const { shot, look } of queue) {
          const name = `${shot.name}.${look.name}`;
          await take(here, shot, look).then(
            () => console.log(name),
            (error: Error) => {
              failed.push(name);
              console.log(`${name} FAILED: ${error.message}`);
            },
          );
        }
      }),
    );
  } finally {
    await browser.close();
    for (const { door } of studios) door.close();
  }
  console.log(`${due.length - failed.length} of ${due.length} pictures taken into ${OUT}`);
  if (failed.length > 0) {
    console.log(`Failed: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}
