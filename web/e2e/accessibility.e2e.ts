import { barriers } from './barriers';
import { atHome, freshPage, heading, inside } from './browser';
import { people, WILLOW } from './stack';
import { still } from './still';
import { expect, test } from './test';
import { eachInBothWidths } from './widths';

test.describe('in the light and in the dark', () => {
  for (const path of [
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password',
    '/reset-password?token=x',
    '/onboarding',
    '/onboarding/flow',
    '/onboarding/oauth-mock?state=x',
    '/privacy',
    '/debug',
    '/demo',
    '/nowhere',
  ]) {
    test(`${path} is accessible`, async () => {
      const page = await freshPage();
      await page.goto(path);
      await still(page);
      expect(await barriers(page)).toEqual([]);
    });
  }

  test('allowing access to a calendar is accessible', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto('/onboarding/flow');
    await heading(page, 'Allow access').waitFor();
    await still(page);
    expect(await barriers(page)).toEqual([]);
  });

  test('the pages of a business are accessible on a desk and a phone', async () => {
    test.setTimeout(180_000);
    const page = await freshPage({ as: people.owner });
    const paths = [
      `/${WILLOW}/calls`,
      `/${WILLOW}/customers`,
      `/${WILLOW}/customers/import`,
      `/${WILLOW}/items`,
      `/${WILLOW}/items/import`,
      `/${WILLOW}/appointments/import`,
      `/${WILLOW}/services`,
      `/${WILLOW}/members`,
      `/${WILLOW}/details`,
      `/${WILLOW}/details?tab=hours`,
      `/${WILLOW}/details?tab=team`,
      `/${WILLOW}/details?tab=agent`,
      `/${WILLOW}/details?tab=integrations`,
      `/${WILLOW}/details?tab=audit`,
      '/my/businesses',
      '/my/account',
      '/admin',
    ];
    await eachInBothWidths(page, paths, async (path, width) => {
      await inside(page);
      await still(page);
      expect([path, width, await barriers(page)]).toEqual([path, width, []]);
    });
  });

  for (const width of [1280, 390]) {
    test(`the records of a business are accessible, ${width} wide`, async () => {
      test.setTimeout(120_000);
      const page = await freshPage({ as: people.owner, width });
      await page.goto(`/${WILLOW}`);
      await page.locator(`a[href^="/${WILLOW}/appointments/"]`).first().click();
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('heading', { name: 'History' }).waitFor();
      await still(page);
      expect(['drawer', await barriers(page)]).toEqual(['drawer', []]);
      await drawer.getByRole('link', { name: 'Open full page' }).click();
      await page
        .getByRole('heading', { name: 'Other visits' })
        .or(page.getByRole('heading', { name: 'History' }))
        .first()
        .waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
      await page.goto(`/${WILLOW}/customers`);
      await page.locator(`a[href^="/${WILLOW}/customers/"]:not([href$="/import"])`).first().click();
      await page.getByRole('heading', { name: 'Notes' }).waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
      await page.goto(`/${WILLOW}/calls`);
      await page.locator(`a[href^="/${WILLOW}/calls/"]`).first().click();
      await page.getByRole('heading', { name: 'Conversation' }).waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
    });
  }

  for (const name of [/^Account of/, /^Business:/]) {
    test(`the menu ${name} is accessible`, async () => {
      const page = await atHome(people.owner);
      await page.getByRole('button', { name }).click();
      await page.getByRole('menu').waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  }

  test('/components is accessible', async () => {
    const page = await freshPage();
    await page.goto('/components');
    // Skeletons are part of what it shows.
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});
