import type { Page, Request } from '@playwright/test';
import { atHome, enter, freshPage, heading, inside } from './browser';
import { held } from './held';
import { toldOtherwise } from './installation';
import { askedFor, letPass, stopClock } from './page-clock';
import { fact, openPanel } from './panel';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';
import { within } from './within';

const REFRESH = /\/api\/auth\/refresh$/;

const MINUTE_MS = 60_000;

type Sent = { path: string; token: string; status: number };

/** What goes to the interface of businesses from here on, and what is answered. */
function listening(page: Page): { all: () => Sent[]; answered: () => Promise<void> } {
  const sent: Sent[] = [];
  const underWay = new Set<Request>();
  page.on('request', (request) => isOfBusiness(request) && underWay.add(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  page.on('response', (response) => {
    const request = response.request();
    if (!isOfBusiness(request)) return;
    underWay.delete(request);
    const token = (request.headers().authorization ?? '').replace('Bearer ', '');
    sent.push({ path: new URL(request.url()).pathname, token, status: response.status() });
  });
  return { all: () => sent, answered: () => until(() => expect(underWay.size).toBe(0)) };
}

const isOfBusiness = (request: Request) => request.url().includes(`/v1/businesses/${WILLOW}`);

/** Makes the token one that the door refuses, and counts the refreshes from there. */
async function expireToken(page: Page): Promise<() => number> {
  let refreshes = 0;
  page.on('request', (request) => {
    if (REFRESH.test(request.url())) refreshes += 1;
  });
  const panel = await openPanel(page, 'Auth');
  await panel.getByRole('button', { name: 'Expire token locally' }).click();
  await page.getByRole('button', { name: 'Auth panel' }).click();
  await panel.waitFor({ state: 'detached' });
  return () => refreshes;
}

/** The refresh's own answer, read on its way. */
async function renewedToken(page: Page): Promise<() => string> {
  let token = '';
  await page.route(REFRESH, async (route) => {
    const answer = await route.fetch();
    token = ((await answer.json()) as { token: string }).token;
    await route.fulfill({ response: answer });
  });
  return () => token;
}

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

test.describe('a call that is refused for its token', () => {
  test('is sent again with a new one, which all that were refused have in common', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}/services`);
    await heading(page, 'Services').first().waitFor();
    const token = await renewedToken(page);
    const refreshes = await expireToken(page);
    const sent = listening(page);
    // It reads several things side by side.
    await goTo(page, 'Schedule');
    await heading(page, 'Schedule').waitFor();
    await until(() => expect(sent.all().filter(({ status }) => status === 200).length).toBeGreaterThan(1));
    await sent.answered();
    expect(refreshes()).toBe(1);
    const refused = sent.all().filter(({ status }) => status === 401);
    for (const { token: old } of refused) expect(old).not.toBe(token());
    // Requests of the page before are not repeated.
    const again = sent.all().filter(({ status, ...one }) => status === 200 && one.token === token());
    const retried = refused.filter(({ path }) => again.some((one) => one.path === path));
    expect(retried.length).toBeGreaterThan(1);
  });

  test('is sent again once, not for ever', async () => {
    const page = await atHome(people.owner);
    await heading(page, 'Next appointments').waitFor();
    const refused = { status: 401, json: { code: 16, message: 'no' } };
    await page.route(/\/calls\?pageSize=50/, (route) => route.fulfill(refused));
    const order: string[] = [];
    page.on('request', (request) => {
      if (/\/calls\?pageSize=50/.test(request.url())) order.push('call');
      if (REFRESH.test(request.url())) order.push('refresh');
    });
    const asked = [await askedFor(page, '/calls?pageSize=50'), await askedFor(page, '/auth/refresh')];
    // The page opens without what its loader reads if that takes long, and would not read it once more.
    await stopClock(page);
    await goTo(page, 'Calls');
    await letPass(page, async () => {
      for (const one of asked) await one.answered();
      return page.getByText('The calls can’t be shown').isVisible();
    });
    // The page reads what its loader could not.
    await until(() => expect(order.join(' ')).toBe('call refresh call call refresh call'));
  });

  test('ends the session when no new token can be had, and tells the user', async () => {
    const page = await atHome(people.owner);
    await heading(page, 'Next appointments').waitFor();
    const panel = await openPanel(page, 'Auth');
    await stopClock(page);
    await page.context().clearCookies({ name: '__Host-refresh' });
    await panel.getByRole('button', { name: 'Expire token locally' }).click();
    await within(page, `/${WILLOW}/calls`);
    await page.getByText('Session expired, please log in again.').waitFor();
    await heading(page, 'Sign in').waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  for (const { had, toasts } of [
    { had: true, toasts: 1 },
    { had: false, toasts: 0 },
  ]) {
    test(`reports the end only if a token existed (${had})`, async () => {
      const page = await freshPage();
      await page.goto('/debug');
      await fact(page, 'Session').getByText('None', { exact: true }).waitFor();
      await page.evaluate((hadSession) => {
        if (hadSession) localStorage.setItem('hadSession', 'true');
        const user = { id: 'u', name: 'O', email: 'o@demo.test', role: 'OWNER', provider: 'email' };
        const now = Date.now();
        const auth = { user: { ...user, businessIds: [] }, timestamp: now, expiresAt: now + 60_000 };
        localStorage.setItem('auth', JSON.stringify(auth));
      }, had);
      // The silent refresh breaks and says nothing about the session; the call's own is refused.
      let refreshes = 0;
      await page.route(REFRESH, (route) => {
        refreshes += 1;
        return refreshes === 1 ? route.abort() : route.continue();
      });
      await page.goto(`/${WILLOW}/calls`);
      await heading(page, 'Sign in').waitFor();
      expect(refreshes).toBe(2);
      const told = page.getByRole('region', { name: 'Session notifications' }).getByRole('paragraph');
      if (toasts > 0) await told.waitFor();
      expect(await told.count()).toBe(toasts);
    });
  }
});

test.describe('while the token is renewed', () => {
  test('because a call was refused, the calls of other pages wait for the new one', async () => {
    // An owner's home has read the services already.
    const page = await atHome(people.manager);
    await heading(page, 'Next appointments').waitFor();
    const refresh = await held(page, REFRESH);
    const refreshes = await expireToken(page);
    const sent = listening(page);
    await goTo(page, 'Calls');
    await refresh.arrived();
    const old = sent.all()[0]?.token;
    await goTo(page, 'Services');
    await refresh.letGo();
    await heading(page, 'Services').first().waitFor();
    await until(() => expect(ofServices(sent.all())).not.toEqual([]));
    expect(ofServices(sent.all()).map(({ status, token }) => [status, token === old])).toEqual([
      [200, false],
    ]);
    expect(refreshes()).toBe(1);
  });

  test('because it is about to end, the calls wait for the new one as well', async () => {
    const page = await atHome(people.owner);
    // So long before its end that it is renewed as soon as any token is.
    await toldOtherwise(page, { renewalThresholdMs: 24 * 3_600_000 });
    await stopClock(page);
    await page.goto(`/${WILLOW}/calls`);
    await inside(page);
    await letPass(page, () => page.locator(`a[href^="/${WILLOW}/calls/"]`).first().isVisible());
    const refresh = await held(page, REFRESH);
    const asked = await askedFor(page, `/v1/businesses/${WILLOW}/services`);
    await page.clock.runFor(31_000);
    await refresh.arrived();
    await goTo(page, 'Services');
    await letPass(page, async () => (await page.getByText('Loading services').count()) === 1);
    expect(await asked.times()).toEqual([]);
    await refresh.letGo();
    await letPass(page, async () => (await asked.times()).length === 1);
  });

  test('no second refresh begins', async () => {
    const page = await atHome(people.owner);
    const panel = await openPanel(page, 'Auth');
    const refresh = await held(page, REFRESH);
    let refreshes = 0;
    page.on('request', (request) => {
      if (REFRESH.test(request.url())) refreshes += 1;
    });
    await panel.getByRole('button', { name: 'Refresh now' }).click();
    await refresh.arrived();
    await panel.getByRole('button', { name: 'Expire token locally' }).click();
    await goTo(page, 'Services');
    await refresh.letGo();
    await panel.getByText('The token is new.').waitFor();
    await page.getByRole('main').getByRole('region', { name: 'Hair' }).waitFor();
    expect(refreshes).toBe(1);
  });
});

const ofServices = (sent: Sent[]) => sent.filter(({ path }) => path.endsWith('/services'));

test.describe('a renewal', () => {
  for (const expected of [
    { minutes: 10, told: {} },
    { minutes: 5, told: { renewalThresholdMs: 5 * MINUTE_MS } },
  ]) {
    test(`begins so many minutes before the token ends, as the door told the page: ${expected.minutes}`, async () => {
      const page = await atHome(people.owner);
      await toldOtherwise(page, expected.told);
      await stopClock(page);
      await page.goto('/debug');
      await fact(page, 'Signed in as').getByText(people.owner).waitFor();
      const asked = await askedFor(page, '/auth/refresh');
      await page.clock.fastForward((60 - expected.minutes) * MINUTE_MS - 1);
      expect(await asked.times()).toEqual([]);
      await page.clock.runFor(1);
      await until(async () => expect(await asked.times()).toHaveLength(1));
    });
  }
});

test.describe('refreshes that fail', () => {
  test('are blocked after three for 2 s, doubled by each one more, until a sign-in', async () => {
    const page = await freshPage();
    // Out of reach at the start already: that is the first of the three.
    await page.route(REFRESH, (route) => route.abort());
    await page.goto('/login');
    await heading(page, 'Sign in').waitFor();
    const panel = await openPanel(page, 'Auth');
    await fact(panel, 'Refresh').getByText('1 failed in a row').waitFor();
    await stopClock(page);
    const asked = await askedFor(page, '/auth/refresh');
    let tried = 0;
    const refresh = async () => {
      await panel.getByRole('button', { name: 'Refresh now', disabled: false }).click();
      await panel.getByRole('button', { name: 'Refresh now', disabled: false }).waitFor();
    };
    const fails = async () => {
      tried += 1;
      await refresh();
      await fact(panel, 'Refresh')
        .getByText(`${tried + 1} failed in a row`)
        .waitFor();
      expect(await asked.times()).toHaveLength(tried);
    };
    const isBlocked = async () => {
      await refresh();
      await panel.getByText('Refresh backoff due to consecutive failures').waitFor();
      expect(await asked.times()).toHaveLength(tried);
    };
    await fails();
    await fails();
    for (const wait of [2000, 4000, 8000]) {
      await isBlocked();
      await page.clock.runFor(wait - 1);
      await isBlocked();
      await page.clock.runFor(1);
      await fails();
    }
    await isBlocked();
    await page.unroute(REFRESH);
    await enter(page, people.owner);
    await inside(page);
    await panel.getByRole('button', { name: 'Refresh now', disabled: false }).click();
    await panel.getByText('The token is new.').waitFor();
  });
});
