import type { Browser, BrowserContext, Page } from '@playwright/test';
import { shiftClock } from './clock';
import { signInAtTheDoor, signOutAtTheDoor } from './door';
import { BASE_URL, PASSWORD, WILLOW } from './stack';

let browser: Browser;
const contexts: BrowserContext[] = [];
/** CSP violations and uncaught errors of pages, which fail the test. */
const complaints: string[] = [];

/** How much of a failed test's page is printed. */
const SEEN_CHARACTERS = 3000;

/** From here on, pages open in this browser. */
export function openIn(started: Browser): void {
  browser = started;
}

/** Closes what a test opened. */
export async function leaveAll(): Promise<void> {
  // Removes the routes of the test, so that they do not affect the next one.
  await Promise.all(pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  await Promise.all(contexts.splice(0).map(leave));
}

/** Closes a browser, unless its journey did, and signs its person out. */
async function leave(context: BrowserContext): Promise<void> {
  const cookies = await context.cookies().catch(() => []);
  await context.close();
  await signOutAtTheDoor(cookies);
}

const pages = () => contexts.flatMap((context) => context.pages());

/** Prints the pages of a failed test. */
export async function describePages(): Promise<void> {
  for (const page of pages()) {
    const seen = await page
      .locator('body')
      .ariaSnapshot({ timeout: 2000 })
      .catch((error: Error) => error.message);
    console.error(`-- ${page.url()}\n${seen.slice(0, SEEN_CHARACTERS)}`);
  }
}

/** Returns and clears the complaints so far, for a test that causes one on purpose. */
export const takeComplaints = () => complaints.splice(0);

export type Visit = {
  /** The e-mail address of a user who signed in earlier: the browser starts with their cookies only. */
  as?: string;
  dark?: boolean;
  width?: number;
  /** Where the viewer's clock is. */
  zone?: string;
  /** Another stack than the one under test. */
  at?: string;
  /** Allows requests to other hosts. */
  anyPolicy?: boolean;
  /** With a touch screen. */
  touch?: boolean;
};

/** A page of a new browser context, empty or with the cookies of an earlier sign-in. */
export async function freshPage(visit: Visit = {}): Promise<Page> {
  const {
    as,
    dark = false,
    width = 1280,
    zone = 'Europe/London',
    at = BASE_URL,
    anyPolicy = false,
    touch = false,
  } = visit;
  const context = await browser.newContext({
    baseURL: at,
    locale: 'en-GB',
    timezoneId: zone,
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width, height: 900 },
    bypassCSP: anyPolicy,
    hasTouch: touch,
  });
  contexts.push(context);
  await shiftClock(context);
  if (as) await signInAtTheDoor(context, as);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  return page;
}

/** Fills in the sign-in page, once it stands: pages before it may have an e-mail field as well. */
export async function enter(page: Page, email: string, password = PASSWORD): Promise<void> {
  await heading(page, 'Sign in').waitFor();
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
}

/** The home page of the salon for a user who signed in earlier. */
export async function atHome(email: string, visit: Omit<Visit, 'as'> = {}): Promise<Page> {
  const page = await freshPage({ ...visit, as: email });
  await page.goto(`/${WILLOW}`);
  await inside(page);
  return page;
}

/** The first page after signing in through the form. */
export async function signedIn(email: string, visit: Visit & { password?: string } = {}): Promise<Page> {
  const page = await freshPage(visit);
  await page.goto('/login');
  await enter(page, email, visit.password);
  await inside(page);
  return page;
}

/** Waits for a page behind the sign-in: the address alone changes before it stands. */
export async function inside(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).waitFor();
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });
