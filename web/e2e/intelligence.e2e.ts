import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { CatalogueService } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import {
  ServiceIntelligenceService,
  type ServiceReport,
} from '../src/gen/frontdesk/scheduling/v1/intelligence_pb';
import { MatchingService, MatchVerdict } from '../src/gen/frontdesk/scheduling/v1/matching_pb';
import { dayAfter } from '../src/time/local';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { dayOf, serviceNamed } from './salon';
import { people, WILLOW } from './stack';
import { askedOnThePhone } from './telephone';
import { expect, test } from './test';
import { until } from './until';
import { within } from './within';

let client: RestClient;
/** What a journey said, and what it made services be called. */
const said: string[] = [];
const aliases: { serviceId: string; alias: string }[] = [];

test.beforeAll(async () => {
  client = await RestClient.as(people.manager);
});
test.afterEach(async () => {
  for (const { serviceId, alias } of aliases.splice(0))
    await client
      .call(MatchingService.method.removeServiceAlias, { businessId: WILLOW, serviceId, alias })
      .catch(() => undefined);
  const mine = said.splice(0);
  const { phrases } = await client.call(MatchingService.method.listUnmatchedPhrases, {
    businessId: WILLOW,
    pageSize: 200,
  });
  for (const { id, phrase } of phrases)
    if (mine.includes(phrase))
      await client.call(MatchingService.method.resolvePhrase, { businessId: WILLOW, phraseId: id });
});

const matched = (phrase: string) =>
  client.call(MatchingService.method.matchServices, { businessId: WILLOW, phrase });

/** A new phrase, close enough to a service for a guess and too far for certainty. */
async function heard(): Promise<string> {
  // Letters alone, and all kinds: what is spelt alike would be guessed.
  const mark = crypto
    .randomUUID()
    .replaceAll('-', '')
    .replace(/\d/g, (digit) => 'ghjklmnpqr'[Number(digit)] ?? '');
  const phrase = `${mark.slice(0, 12)} manicure`;
  said.push(phrase);
  await askedOnThePhone(phrase);
  return phrase;
}

async function pageOf(email: string, search = '', width = 1280): Promise<Page> {
  const page = await freshPage({ as: email, width });
  await page.goto(`/${WILLOW}/intelligence${search}`);
  await inside(page);
  return page;
}

const rowOf = (page: Page, phrase: string) =>
  page
    .getByRole('list', { name: 'Phrases' })
    .getByRole('listitem')
    .filter({ hasText: `“${phrase}”` });

test.describe('a phrase that matched no service', () => {
  test('appears by itself, becomes an alias in one click, and is understood from then on', async () => {
    const page = await pageOf(people.manager);
    await heading(page, 'Phrases not understood').waitFor();
    const phrase = await heard();
    const { verdict, candidates } = await matched(phrase);
    expect(verdict).toBe(MatchVerdict.UNCLEAR);
    const best = candidates[0]?.service;
    const row = rowOf(page, phrase);
    await row.getByText('said once').waitFor();
    aliases.push({ serviceId: best?.id ?? '', alias: phrase });
    await row.getByRole('button', { name: new RegExp(`^${best?.name} \\d+ % alike`) }).click();
    await row.getByText(`“${phrase}” means ${best?.name} now.`).waitFor();
    await until(async () => {
      const after = await matched(phrase);
      expect([after.verdict, after.candidates[0]?.service?.id]).toEqual([MatchVerdict.CLEAR, best?.id]);
    });

    await row.getByRole('button', { name: /^Undo/ }).click();
    await row.waitFor({ state: 'detached' });
    expect((await matched(phrase)).verdict).toBe(MatchVerdict.UNCLEAR);
    await askedOnThePhone(phrase);
    await row.getByText('said once').waitFor();
  });

  test('becomes an alias of any other service, with the keyboard alone', async () => {
    const phrase = await heard();
    const page = await pageOf(people.manager);
    const row = rowOf(page, phrase);
    await row.getByRole('button', { name: /^Another service/ }).press('Enter');
    const field = row.getByRole('combobox', { name: `What “${phrase}” means` });
    await until(async () =>
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true),
    );
    await page.keyboard.type('beard');
    const { id } = await serviceNamed(client, 'Beard trim');
    aliases.push({ serviceId: id, alias: phrase });
    await row.getByRole('option', { name: /^Beard trim/ }).waitFor();
    await page.keyboard.press('Enter');
    await row.getByText(`“${phrase}” means Beard trim now.`).waitFor();
    // Leaving the page settles it at once; until the next one stands, the row itself names phrase and service.
    await within(page, `/${WILLOW}/services`);
    await heading(page, 'Services').waitFor();
    await page.getByRole('listitem').filter({ hasText: phrase }).getByText('Beard trim').waitFor();
  });

  test('goes back to its place when that is refused, with the reason', async () => {
    const phrase = await heard();
    const page = await pageOf(people.manager);
    const row = rowOf(page, phrase);
    await page.route(/:resolve$/, (route) =>
      route.fulfill({
        status: 400,
        json: {
          code: 3,
          message: 'The service has 20 aliases already.',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field: 'serviceId', description: 'The service has 20 aliases already.' }],
            },
          ],
        },
      }),
    );
    const best = (await matched(phrase)).candidates[0]?.service?.name;
    await row.getByRole('button', { name: new RegExp(`^${best} \\d+ % alike`) }).click();
    await row.getByRole('alert').getByText('The service has 20 aliases already.').waitFor();
    await row.getByRole('button', { name: new RegExp(`^${best} \\d+ % alike`) }).waitFor();
  });

  test('is put aside after its undo, and found again there', async () => {
    const phrase = await heard();
    const page = await pageOf(people.manager, '', 390);
    const row = rowOf(page, phrase);
    const aside = row.getByRole('button', { name: /^Put aside/ });
    await aside.click();
    await row.getByText(`“${phrase}” is put aside.`).waitFor();
    await row.getByRole('button', { name: /^Undo/ }).click();
    await aside.click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show put aside' }).click();
    await page
      .getByRole('list', { name: 'Phrases put aside' })
      .getByRole('listitem')
      .filter({ hasText: `“${phrase}”` })
      .waitFor();
    const { phrases } = await client.call(MatchingService.method.listUnmatchedPhrases, {
      businessId: WILLOW,
      dismissed: true,
      pageSize: 200,
    });
    expect(phrases.map((one) => one.phrase)).toContain(phrase);
  });
});

/** The demo books from today on. */
const today = dayOf(new Date());
const COMING = { first: today, last: dayAfter(today, 20) };
const coming = `?from=${COMING.first}&to=${COMING.last}`;

async function reports(): Promise<ServiceReport[]> {
  const { services } = await client.call(ServiceIntelligenceService.method.getServiceIntelligence, {
    businessId: WILLOW,
    firstDate: COMING.first,
    lastDate: COMING.last,
    pageSize: 200,
  });
  return services.sort((one, other) => Number(other.booked - one.booked));
}

test.describe('the figures of services', () => {
  test('are drawn and written with the same numbers, by what the address says', async () => {
    const page = await pageOf(people.owner, coming);
    const [most] = await reports();
    const bars = page.getByRole('list', { name: 'Bookings of each service' });
    // Whole names: "Women's cut" has "men's cut" in it.
    const name = most?.serviceName ?? '';
    const bar = bars.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
    await bar.getByText(String(most?.booked), { exact: true }).waitFor();

    await page.getByText('Table', { exact: true }).click();
    const table = page.getByRole('table', { name: 'Figures of each service' });
    const row = table.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    await row
      .getByRole('cell', { name: String(most?.booked), exact: true })
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('table');

    const { services } = await client.call(CatalogueService.method.listServices, {
      businessId: WILLOW,
      pageSize: 200,
    });
    const categories = [...new Set(services.map(({ category }) => category))].filter(Boolean);
    const category = services.find(({ id }) => id === most?.serviceId)?.category ?? '';
    const other = categories.find((name) => name !== category) ?? '';
    await page.getByLabel('Category').selectOption(other);
    await row.waitFor({ state: 'detached' });
    await page.reload();
    await until(async () => expect(await page.getByLabel('Category').inputValue()).toBe(other));
    await page.getByLabel('Category').selectOption(category);
    await row.waitFor();
  });

  test('go into a file that spreadsheets read', async () => {
    const page = await pageOf(people.manager, coming);
    const [most] = await reports();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Services (CSV)' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`willow-co-services-${COMING.first}-to-${COMING.last}.csv`);
    const text = await readFile(await download.path(), 'utf8');
    const [heads, first] = text.split('\r\n');
    expect(heads).toMatch(/^\uFEFF"Service","Category","Booked",/);
    expect(first).toContain(`,${most?.booked},${most?.completed},`);
  });

  test('say what is wrong with dates, and when there are none', async () => {
    const page = await pageOf(people.manager, `?from=${COMING.last}&to=${COMING.first}`);
    await page.getByText('The last date is before the first.').waitFor();
    await page.getByLabel('Last date').fill('2015-01-02');
    await page.getByLabel('First date').fill('2015-01-01');
    await page.getByText('Nothing to measure yet').waitFor();
    await page.getByText('Last 4 weeks', { exact: true }).click();
    await until(() => expect(new URL(page.url()).search).toBe(''));
  });

  test('are not for employees, and an administrator chooses the business first', async () => {
    const employee = await freshPage({ as: people.employee });
    await employee.goto(`/${WILLOW}/services`);
    await inside(employee);
    expect(await employee.getByRole('link', { name: 'Intelligence' }).count()).toBe(0);
    await employee.goto(`/${WILLOW}/intelligence`);
    await heading(employee, 'Access Restricted').waitFor();

    const admin = await freshPage({ as: people.admin });
    await admin.goto('/admin/service-intelligence');
    await inside(admin);
    await admin.getByLabel('Find a business').fill('wil');
    await admin.getByRole('main').getByRole('link', { name: 'Willow & Co' }).click();
    await heading(admin, 'Phrases not understood').waitFor();
    expect(new URL(admin.url()).pathname).toBe(`/admin/service-intelligence/${WILLOW}`);
    await admin.getByRole('link', { name: 'Another business' }).click();
    await admin.getByLabel('Find a business').fill('no such salon');
    await admin.getByText('No business has “no such salon” in its name or address').waitFor();
  });
});
