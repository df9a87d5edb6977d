import type { BrowserContext, Cookie } from '@playwright/test';
import { expect } from '@playwright/test';
import { BASE_URL, PASSWORD } from './stack';

/** Signs in without a page, for journeys that begin after it: the browser has the cookies, and nothing else. */
export async function signInAtTheDoor(context: BrowserContext, email: string): Promise<void> {
  const attempt = async () =>
    context.request.post('/api/auth/login', {
      data: { email, password: PASSWORD },
      headers: { 'X-XSRF-TOKEN': xsrfToken(await context.cookies()) },
    });
  // The refusal hands out the XSRF pair.
  expect((await attempt()).status()).toBe(403);
  expect((await attempt()).status()).toBe(200);
}

/** Signs out the session of these cookies: account pages list every session, and would grow with each test. */
export async function signOutAtTheDoor(cookies: Cookie[]): Promise<void> {
  if (!cookies.some(({ name }) => name === '__Host-refresh')) return;
  const headers = {
    Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    'X-XSRF-TOKEN': xsrfToken(cookies),
  };
  await fetch(`${BASE_URL}/api/auth/logout`, { method: 'POST', headers });
}

/** What a change has to echo. */
const xsrfToken = (cookies: Cookie[]) =>
  decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '');
