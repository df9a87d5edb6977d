import { barriers } from './barriers';
import { freshPage, inside } from './browser';
import { people, WILLOW } from './stack';
import { still } from './still';
import { expect, test } from './test';
import { eachInBothWidths } from './widths';

test.describe('in the light and in the dark', () => {
  test('the pages of administrators are accessible on a desk and a phone', async () => {
    test.setTimeout(180_000);
    const page = await freshPage({ as: people.admin });
    const setup = `/admin/businesses/create?business=${WILLOW}`;
    const steps = ['details', 'hours', 'team', 'services', 'owner', 'phone'].map(
      (step) => `${setup}&step=${step}`,
    );
    const paths = [
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
    ];
    await eachInBothWidths(page, paths, async (path, width) => {
      await inside(page);
      await still(page);
      expect([path, width, await barriers(page)]).toEqual([path, width, []]);
    });
  });

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
