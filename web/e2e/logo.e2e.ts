import type { Page } from '@playwright/test';
import { AccountService } from '../src/gen/frontdesk/auth/v1/account_pb';
import { LogoService } from '../src/gen/frontdesk/tenancy/v1/logo_pb';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const DETAILS = `/${WILLOW}/details`;

/** A picture drawn by the browser, so many pixels each way. */
async function picture(page: Page, side: number, type = 'image/png'): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([size, format]) => {
      const canvas = new OffscreenCanvas(size as number, size as number);
      const pen = canvas.getContext('2d');
      if (!pen) throw new Error('There is no canvas.');
      pen.fillStyle = '#5b2a86';
      pen.fillRect(0, 0, canvas.width, canvas.height / 2);
      const blob = await canvas.convertToBlob({ type: format as string });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(String.fromCharCode(...bytes));
    },
    [side, type] as const,
  );
  return Buffer.from(base64, 'base64');
}

const pictures = (page: Page) => page.locator('img[src^="data:image/png"]');

test.describe('the logo of a business', () => {
  test.afterAll(async () => {
    const owner = await RestClient.as(people.owner);
    await owner.call(LogoService.method.removeLogo, { businessId: WILLOW });
  });

  test('is chosen by its owner, stands beside the name everywhere, and is removed', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto(DETAILS);
    await heading(page, 'Details').waitFor();
    const website = page.getByLabel('Website');
    await website.fill('willow.example/logo');
    const chosen = page.getByLabel('Logo', { exact: true });
    await chosen.setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    });
    await page.getByText('logo.svg is no PNG, JPEG or WebP picture.').waitFor();
    // What only calls itself a picture is refused by the browser's own reading of it.
    await chosen.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await page.getByText('logo.png can’t be read as a picture.').waitFor();
    expect(await pictures(page).count()).toBe(0);

    await chosen.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await picture(page, 64) });
    await page.getByText('Saved the logo of Willow & Co.').waitFor();
    await pictures(page).first().waitFor();
    // In the navigation and on the page; what was typed beside it is neither lost nor stale.
    await expect(pictures(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('The details of Willow & Co are saved.').waitFor();

    // A photograph that is too large to be sent is made smaller first.
    const large = await picture(page, 2_100, 'image/jpeg');
    await chosen.setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer: large });
    await page.getByText('Saved the logo of Willow & Co.').last().waitFor();

    const guest = await freshPage({ as: people.guest });
    await guest.goto(DETAILS);
    await inside(guest);
    await expect(pictures(guest)).toHaveCount(2);
    expect(await guest.getByRole('button', { name: 'Replace logo' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Remove logo' }).click();
    await page.getByText('Removed the logo of Willow & Co.').waitFor();
    await expect(pictures(page)).toHaveCount(0);
    // The guest's page hears of it.
    await expect(pictures(guest)).toHaveCount(0);
    await website.fill('');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('The details of Willow & Co are saved.').last().waitFor();

    await page.goto(`${DETAILS}?tab=audit`);
    await page.getByText('Logo: removed').first().waitFor();
    await page.getByText('Logo: added').first().waitFor();
  });

  test('stands in lists of businesses, is read once, and is taken from the browser’s own store after that', async () => {
    const owner = await RestClient.as(people.owner);
    const blank = await freshPage({ as: people.admin });
    await blank.goto('/privacy');
    const content = await picture(blank, 96);
    await owner.call(LogoService.method.setLogo, { businessId: WILLOW, content });
    await until(async () => {
      const { memberships } = await owner.call(AccountService.method.listMyMemberships, {});
      expect(memberships.find(({ businessId }) => businessId === WILLOW)?.logoDigest).toMatch(
        /^[0-9a-f]{64}$/,
      );
    });

    const page = await freshPage({ as: people.admin, dark: true });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/logos/')) asked.push(request.url());
    });
    await page.goto('/admin/businesses');
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Willow & Co' });
    await row.locator('img[src^="data:image/png"]').waitFor();
    // The other businesses have none, and nothing is asked for them.
    expect(await pictures(page).count()).toBe(1);
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Admin' }).click();
    await page.getByRole('link', { name: 'Businesses at a glance' }).first().click();
    const cell = page.getByRole('rowheader', { name: 'Willow & Co' });
    await cell.locator('img[src^="data:image/png"]').waitFor();
    expect(asked).toHaveLength(1);
    // A page that is loaded anew finds it in the browser's store.
    await page.reload();
    await cell.locator('img[src^="data:image/png"]').waitFor();
    const [sent] = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap((entry) =>
          entry.name.includes('/logos/') ? [(entry as PerformanceResourceTiming).transferSize] : [],
        ),
    );
    expect(sent).toBe(0);

    const hers = await freshPage({ as: people.owner });
    await hers.goto('/my/businesses');
    await hers.getByRole('main').getByRole('listitem').locator('img[src^="data:image/png"]').waitFor();
    await hers.goto(`/${WILLOW}`);
    await inside(hers);
    await hers.getByRole('button', { name: 'Business: Willow & Co' }).first().click();
    await hers
      .getByRole('menuitem', { name: /Willow & Co/ })
      .locator('img[src^="data:image/png"]')
      .waitFor();
  });
});
