import type { Page, Request } from '@playwright/test';
import { atHome, enter, freshPage, heading, signedIn } from './browser';
import { toldOtherwise } from './installation';
import { followed } from './live';
import { openPanel } from './panel';
import { RestClient } from './rest';
import { BASE_URL, people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';
import { bookedVisit } from './visit';

type Sent = { verb: string; path: string; headers: Record<string, string> };

/** Everything the page asks of the API from here on, as it left the browser. */
function listening(page: Page): () => Promise<Sent[]> {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) requests.push(request);
  });
  return () =>
    Promise.all(
      requests.map(async (request) => ({
        verb: request.method(),
        path: new URL(request.url()).pathname,
        headers: await request.allHeaders(),
      })),
    );
}

const cookie = (headers: Record<string, string>, name: string) =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1];

test.describe('every call of the page', () => {
  test('carries cookies, a JSON content type, the tab’s random id and the token once there is one', async () => {
    const page = await freshPage();
    await page.goto('/privacy');
    await heading(page, 'Privacy').first().waitFor();
    const sent = listening(page);
    await page.goto('/login');
    await enter(page, people.owner);
    await heading(page, 'Next appointments').waitFor();

    const calls = await sent();
    const id = await page.evaluate(() =>
      Object.values(sessionStorage).find((value) => /^[0-9a-f-]{36}$/.test(value)),
    );
    expect(id).toBeDefined();
    expect(calls.map(({ path }) => path)).toContain('/api/auth/login');
    for (const { path, headers } of calls) {
      expect([path, headers['content-type'], headers['x-session-id']]).toEqual([
        path,
        'application/json',
        id,
      ]);
      expect([path, cookie(headers, 'XSRF-TOKEN')]).toEqual([path, expect.stringMatching(/./)]);
    }
    const later = calls.slice(calls.findIndex(({ path }) => path === '/api/auth/login') + 1);
    expect(later.map(({ path }) => path)).toContain(`/api/v1/businesses/${WILLOW}/home`);
    expect(later.length).toBeGreaterThan(2);
    for (const { path, headers } of later) {
      expect([path, headers.authorization]).toEqual([
        path,
        expect.stringMatching(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/),
      ]);
      expect([path, cookie(headers, '__Host-refresh')]).toEqual([path, expect.stringMatching(/./)]);
    }
  });

  test('carries the token to the door’s own paths as well', async () => {
    const page = await atHome(people.owner);
    const sent = listening(page);
    const panel = await openPanel(page, 'Auth');
    await panel.getByRole('button', { name: 'Refresh now' }).click();
    await panel.getByText('The token is new.').waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    const configured = page.waitForResponse('**/api/config/frontend');
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await configured;
    const calls = await sent();
    expect(calls.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/api/auth/refresh', '/api/config/frontend']),
    );
    for (const { path, headers } of calls) {
      expect([path, headers.authorization]).toEqual([path, expect.stringMatching(/^Bearer ./)]);
    }
  });

  test('has another id in another tab', async () => {
    const page = await atHome(people.owner);
    const other = await page.context().newPage();
    await other.goto(`/${WILLOW}`);
    await heading(other, 'Next appointments').waitFor();
    const ids = await Promise.all(
      [page, other].map((tab) => tab.evaluate(() => sessionStorage.getItem('sessionId'))),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('echoes the XSRF cookie in the header when it changes something, and when it refreshes', async () => {
    const appointmentId = await bookedVisit(await RestClient.as(people.owner));
    const page = await freshPage({ as: people.owner });
    const sent = listening(page);
    await page.goto(`/${WILLOW}/appointments/${appointmentId}`);
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByText(/^Cancelled: /).waitFor();
    const calls = await sent();
    const unsafe = calls.filter(({ verb, path }) => verb !== 'GET' || path === '/api/auth/refresh');
    expect(unsafe.map(({ path }) => path)).toEqual([
      '/api/auth/refresh',
      `/api/v1/businesses/${WILLOW}/appointments/${appointmentId}:cancel`,
    ]);
    for (const { headers } of unsafe) {
      expect(headers['x-xsrf-token']).toMatch(/./);
      expect(headers['x-xsrf-token']).toBe(decodeURIComponent(cookie(headers, 'XSRF-TOKEN') ?? ''));
    }
  });

  test('goes to the API of its host, and its socket beside it', async () => {
    const page = await freshPage();
    const addresses: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch') addresses.push(request.url());
    });
    const socket = page.waitForEvent('websocket');
    await page.goto('/login');
    await enter(page, people.owner);
    await heading(page, 'Next appointments').waitFor();
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(address.startsWith(`${BASE_URL}/api/`)).toBe(true);
    expect((await socket).url()).toBe(`${BASE_URL.replace(/^http/, 'ws')}/ws`);
  });

  test('reads once as a page opens: the socket goes on from where the session began', async () => {
    const page = await freshPage({ as: people.owner });
    const reads: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'GET') reads.push(new URL(request.url()).pathname);
    });
    const live = followed(page);
    await page.goto(`/${WILLOW}`);
    await live;
    await page.getByRole('listitem').filter({ hasText: 'Monday' }).waitFor();
    await page.waitForLoadState('networkidle');
    // Only resources that no other test changes at the same time.
    const business = `/api/v1/businesses/${WILLOW}`;
    for (const path of ['/api/v1/me/memberships', `${business}/home`]) {
      expect(reads.filter((read) => read === path)).toEqual([path]);
    }
    // These arrived with the home.
    for (const path of [business, `${business}/opening-hours`]) expect(reads).not.toContain(path);
  });

  test('goes where the runtime configuration says, not where the page thinks', async () => {
    const page = await freshPage();
    await toldOtherwise(page, { apiBaseUrl: '/elsewhere/api', webSocketUrl: '/elsewhere/live' });
    const asked: string[] = [];
    await page.route('**/api/**', (route) => {
      const address = new URL(route.request().url());
      asked.push(address.pathname);
      return route.continue({ url: address.href.replace('/elsewhere/api/', '/api/') });
    });
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(new URL(socket.url()).pathname));
    await page.goto('/login');
    await enter(page, people.owner);
    await heading(page, 'Next appointments').waitFor();
    await until(() => expect(sockets).not.toEqual([]));
    expect(asked).toContain('/elsewhere/api/auth/login');
    expect(asked.filter((path) => !path.startsWith('/elsewhere/api/'))).toEqual([]);
    expect(new Set(sockets)).toEqual(new Set(['/elsewhere/live']));
  });

  test('signs in with e-mail and password, refreshes and signs out with nothing', async () => {
    const page = await freshPage();
    const bodies: [string, string][] = [];
    await page.exposeFunction('said', (address: string, body: string) => {
      bodies.push([new URL(address).pathname, body]);
    });
    await page.addInitScript(() => {
      const { fetch, said } = window as typeof window & { said: (address: string, body: string) => void };
      window.fetch = async (input, init) => {
        const request = new Request(input, init);
        said(request.url, await request.clone().text());
        return fetch(request);
      };
    });
    await page.goto('/login');
    await enter(page, people.owner);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Logged out successfully').waitFor();
    const of = (path: string) => bodies.filter(([asked]) => asked === path).map(([, body]) => body);
    expect(of('/api/auth/login').map((body) => Object.keys(JSON.parse(body)))).toEqual([
      ['email', 'password'],
    ]);
    expect(new Set(of('/api/auth/refresh'))).toEqual(new Set(['']));
    expect(of('/api/auth/logout')).toEqual(['']);
  });
});

test.describe('what is kept in the browser', () => {
  test('is the user, for five minutes, and that there was a session', async () => {
    const page = await signedIn(people.owner);
    const kept = await page.evaluate(() => ({ ...localStorage }));
    expect(Object.keys(kept).sort()).toEqual(['auth', 'hadSession']);
    expect(kept.hadSession).toBe('true');
    const auth = JSON.parse(kept.auth ?? '') as { user: object; timestamp: number; expiresAt: number };
    expect(Object.keys(auth).sort()).toEqual(['expiresAt', 'timestamp', 'user']);
    expect(auth.expiresAt - auth.timestamp).toBe(5 * 60_000);
    expect(Object.keys(auth.user).sort()).toEqual(['businessIds', 'email', 'id', 'name', 'provider', 'role']);
    expect(JSON.stringify(kept)).not.toMatch(/eyJ|[tT]oken/);
  });

  test('is nothing after signing out', async () => {
    const page = await atHome(people.owner);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Logged out successfully').waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test('is light or dark, as they chose, whatever the system likes', async () => {
    const page = await atHome(people.owner);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await page.evaluate(() => localStorage.getItem('colour-mode'))).toBe('dark');
    await page.reload();
    await heading(page, 'Next appointments').waitFor();
    expect(await page.locator('html').getAttribute('class')).toBe('dark');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    expect(await page.evaluate(() => localStorage.getItem('colour-mode'))).toBe('light');
  });
});
