import { barriers } from './barriers';
import { freshPage, inside } from './browser';
import { people, WILLOW } from './stack';
import { still } from './still';
import { expect, test } from './test';

test.describe('in the light and in the dark', () => {
  for (const width of [1280, 390]) {
    test(`the pages of administrators are accessible, ${width} wide`, async () => {
      test.setTimeout(120_000);
      const page = await freshPage({ as: people.admin, width });
      const setup = `/admin/businesses/create?business=${WILLOW}`;
      const steps = ['details', 'hours', 'team', 'services', 'owner', 'phone'].map(
        (step) => `${setup}&step=${step}`,
      );
      for (const path of [
        '/admin',
        '/admin/biz',
        '/admin/businesses',
        '/admin/businesses/create',
        `/admin/appointment-sync?business=${WILLOW}`,
        `/admin/saloniq-consistency?business=${WILLOW}`,
        `/admin/provider-sync?business=${WILLOW}`,
        `/admin/provider-availability?business=${WILLOW}`,
        `/admin/provider-credentials/${WILLOW}`,
        '/admin/employee-management',
        ...steps,
      ]) {
        await page.goto(path);
        await inside(page);
        await still(page);
        expect([path, width, await barriers(page)]).toEqual([path, width, []]);
      }
    });
  }

  test('the pages of an administrator are accessible', async () => {
    const page = await freshPage({ as: people.admin });
    for (const path of [
      '/admin',
      '/admin/businesses',
      '/admin/schedule',
      '/admin/dependencies',
      '/admin/service-intelligence',
      '/admin/insights',
      '/admin/event-tracking',
      `/admin/dependencies?business=${WILLOW}`,
    ]) {
      await page.goto(path);
      await inside(page);
      await still(page);
      expect([path, await barriers(page)]).toEqual([path, []]);
    }
  });
});
