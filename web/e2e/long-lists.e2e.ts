import type { Locator, Page, Route } from '@playwright/test';
import { freshPage, inside } from './browser';
import { people, SECOND, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const idOf = (row: number) => `01900000-0000-7000-8000-${String(row).padStart(12, '0')}`;
/** None is part of another one. */
const nameOf = (row: number) => `Row ${String(row).padStart(4, '0')}`;

/** Answers a list with so many records; what else the answer says stays. */
const manyOf = (list: string, rows: number, record: (row: number, first: object) => object) => {
  return async (route: Route) => {
    const answer = await route.fetch();
    const { [list]: found = [], ...rest } = (await answer.json()) as Record<string, object[]>;
    const records = Array.from({ length: rows }, (_, row) => record(row, found[0] ?? {}));
    await route.fulfill({ response: answer, json: { ...rest, [list]: records, nextPageToken: '' } });
  };
};

/** Scrolls to the page's end until that is where the list ends. */
const toTheEnd = (page: Page, last: Locator) =>
  until(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await last.isVisible()).toBe(true);
  });

type Long = {
  what: string;
  path: string;
  as: string;
  url: string | RegExp;
  list: string;
  record: (row: number, first: object) => object;
};

const LISTS: (Long & { label?: string })[] = [
  {
    what: 'security events',
    path: '/my/account',
    as: people.owner,
    url: '**/api/v1/me/security-events?*',
    list: 'events',
    label: 'Security events',
    record: (row) => ({
      id: idOf(row),
      kind: 'SECURITY_EVENT_KIND_SIGNED_IN',
      at: '2026-05-01T08:00:00Z',
      browser: nameOf(row),
    }),
  },
  {
    what: 'members',
    path: `/${WILLOW}/members`,
    as: people.owner,
    url: `**/businesses/${WILLOW}/members?*`,
    list: 'members',
    label: 'Members',
    record: (row) => ({
      userId: idOf(row),
      name: nameOf(row),
      email: `${row}@demo.test`,
      role: 'EMPLOYEE',
    }),
  },
  {
    what: 'services of a category',
    path: `/${WILLOW}/services`,
    as: people.owner,
    url: `**/businesses/${WILLOW}/services?*`,
    list: 'services',
    record: (row, first) => ({ ...first, id: idOf(row), name: nameOf(row), category: 'Hair' }),
  },
  {
    what: 'businesses of one’s own',
    path: '/my/businesses',
    as: people.owner,
    url: '**/api/v1/me/memberships?*',
    list: 'memberships',
    record: (row, first) => ({ ...first, businessId: idOf(row), businessName: nameOf(row) }),
  },
  {
    what: 'employees',
    path: `/${WILLOW}/details?tab=team`,
    as: people.owner,
    // Not those who left.
    url: new RegExp(`/businesses/${WILLOW}/employees(\\?(?!.*former)|$)`),
    list: 'employees',
    label: 'Employees',
    record: (row, first) => ({ ...first, id: idOf(row), name: nameOf(row) }),
  },
];

const TABLES: (Long & { label: string })[] = [
  {
    what: 'tracked events',
    path: `/admin/event-tracking?business=${WILLOW}`,
    as: people.admin,
    url: '**/api/v1/admin/product-events?*',
    list: 'events',
    label: 'Events, newest first',
    record: (row) => ({
      id: idOf(row),
      businessId: WILLOW,
      type: 'PRODUCT_EVENT_TYPE_PAGE_OPENED',
      schemaVersion: 1,
      occurredAt: '2026-05-31T08:00:00Z',
      page: nameOf(row),
      actor: `user:${SECOND}`,
    }),
  },
  {
    what: 'appointments in calendars',
    path: `/${WILLOW}/appointment-sync`,
    as: people.owner,
    url: `**/businesses/${WILLOW}/appointment-sync?*`,
    list: 'appointments',
    label: 'Appointments and their calendars',
    record: (row) => ({
      appointmentId: idOf(row),
      title: nameOf(row),
      startsAt: '2026-06-01T09:00:00Z',
      endsAt: '2026-06-01T10:00:00Z',
      events: [{ calendarId: SECOND, calendarName: 'Mia', state: 'SYNC_STATE_WRITTEN' }],
    }),
  },
  {
    what: 'pairings',
    path: `/${WILLOW}/pairings`,
    as: people.owner,
    url: `**/businesses/${WILLOW}/pairings?*`,
    list: 'pairings',
    label: 'Pairings made by hand',
    record: (row) => ({ id: idOf(row), serviceName: nameOf(row), suggestedServiceName: 'Olaplex' }),
  },
  {
    what: 'businesses at a glance',
    path: '/admin/biz',
    as: people.admin,
    url: '**/api/v1/admin/businesses?*',
    list: 'businesses',
    label: 'Businesses at a glance',
    record: (row, first) => ({ ...first, id: idOf(row), name: nameOf(row) }),
  },
];

async function opened({ path, as, url, list, record }: Long, rows: number): Promise<Page> {
  const page = await freshPage({ as });
  await page.route(url, manyOf(list, rows, record));
  await page.goto(path);
  await inside(page);
  return page;
}

test.describe('a long list', () => {
  for (const list of LISTS) {
    for (const { rows, all } of [
      { rows: 100, all: true },
      { rows: 101, all: false },
    ]) {
      test(`of ${rows} ${list.what} is all in the document: ${all}`, async () => {
        const page = await opened(list, rows);
        const place = list.label ? page.getByRole('list', { name: list.label }) : page.getByRole('main');
        const row = (at: number) => place.getByRole('listitem').filter({ hasText: nameOf(at) });
        await row(0).waitFor();
        const inDocument = await place
          .getByRole('listitem')
          .filter({ hasText: /Row \d/ })
          .count();
        if (all) expect(inDocument).toBe(rows);
        else expect(inDocument).toBeLessThan(rows / 2);
        await toTheEnd(page, row(rows - 1));
        if (!all) {
          expect(await row(rows - 1).getAttribute('aria-posinset')).toBe(String(rows));
          expect(await row(0).count()).toBe(0);
        }
      });
    }
  }
});

test.describe('a long table', () => {
  for (const table of TABLES) {
    for (const { rows, all } of [
      { rows: 100, all: true },
      { rows: 101, all: false },
    ]) {
      test(`of ${rows} ${table.what} is all in the document: ${all}`, async () => {
        const page = await opened(table, rows);
        const place = page.getByRole('table', { name: table.label });
        const row = (at: number) => place.getByRole('row').filter({ hasText: nameOf(at) });
        await row(0).waitFor();
        const inDocument = await place.getByRole('row').count();
        if (all) expect(inDocument).toBe(rows + 1);
        else expect(inDocument).toBeLessThan(rows / 2);
        const widths = () =>
          place.getByRole('columnheader').evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
        const before = await widths();
        await toTheEnd(page, row(rows - 1));
        expect(await widths()).toEqual(before);
        if (all) return;
        expect(await place.getAttribute('aria-rowcount')).toBe(String(rows + 1));
        expect(await row(rows - 1).getAttribute('aria-rowindex')).toBe(String(rows + 1));
        expect(await row(0).count()).toBe(0);
      });
    }
  }

  test('keeps the row with the focus, from which Tab goes on to the next', async () => {
    const [, sync] = TABLES;
    if (!sync) throw new Error('There is no such table.');
    const page = await opened(sync, 500);
    const link = (row: number) => page.getByRole('link', { name: nameOf(row), exact: true });
    const history = (row: number) =>
      page.getByRole('button', { name: `History of ${nameOf(row)}`, exact: true });
    await link(3).focus();
    await toTheEnd(page, link(499));
    expect(await link(3).evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await until(async () =>
      expect(await link(4).evaluate((node) => node === document.activeElement)).toBe(true),
    );
    await link(4).waitFor();
    expect(await page.getByRole('table').getByRole('row').count()).toBeLessThan(60);
    // And on, beyond the rows that were in the document at first.
    for (let row = 4; row < 40; row += 1) {
      await page.keyboard.press('Tab');
      expect(await history(row).evaluate((node) => node === document.activeElement)).toBe(true);
      await page.keyboard.press('Tab');
      await until(async () =>
        expect(await link(row + 1).evaluate((node) => node === document.activeElement)).toBe(true),
      );
    }
  });

  test('of lines that can’t be imported grows past a hundred, and the page stays in place', async () => {
    const table = ['Name,Phone', ...Array.from({ length: 140 }, (_, row) => `${nameOf(row)},no number`)];
    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/customers/import`);
    await inside(page);
    await page
      .getByLabel('Table of customers')
      .setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer: Buffer.from(table.join('\r\n')) });
    await page.getByText('0 customers can be imported, 140 of 140 lines can’t.').waitFor();
    const rows = page.getByRole('table').getByRole('row').filter({ hasText: 'no number' });
    const row = (at: number) => rows.filter({ hasText: nameOf(at) });
    await row(99).waitFor({ state: 'attached' });
    expect(await rows.count()).toBe(100);
    await row(99).scrollIntoViewIfNeeded();
    const top = async () => (await row(99).boundingBox())?.y ?? Number.NaN;
    const more = page.getByRole('button', { name: 'Show more lines' });
    await more.scrollIntoViewIfNeeded();
    const before = await top();
    await more.click();
    await row(100).waitFor({ state: 'attached' });
    expect(await rows.count()).toBeLessThan(70);
    // Less than half a row.
    expect(Math.abs((await top()) - before)).toBeLessThan(20);
    await toTheEnd(page, row(139));
  });
});
