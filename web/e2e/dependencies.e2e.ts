import { CatalogueService, SegmentKind } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import { DependencyRule, DependencyService } from '../src/gen/frontdesk/scheduling/v1/dependency_pb';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

let client: RestClient;
let mark: string;
let ids: string[];

/** Two services of this journey's own; archiving them takes their rules along. */
test.beforeEach(async () => {
  client = await RestClient.as(people.manager);
  mark = crypto.randomUUID().slice(0, 8);
  ids = [];
  const { services } = await client.call(CatalogueService.method.listServices, { businessId: WILLOW });
  for (const what of ['Rinse', 'Setting']) {
    const { service } = await client.call(CatalogueService.method.createService, {
      businessId: WILLOW,
      service: {
        name: `${what} ${mark}`,
        category: 'Journeys',
        segments: [{ kind: SegmentKind.ACTIVE, minutes: 20 }],
        currency: services[0]?.currency ?? 'GBP',
      },
    });
    ids.push(service?.id ?? '');
  }
});

test.afterEach(async () => {
  for (const serviceId of ids)
    await client.call(CatalogueService.method.archiveService, { businessId: WILLOW, serviceId });
});

async function rulesOfMine() {
  const { dependencies } = await client.call(DependencyService.method.listDependencies, {
    businessId: WILLOW,
  });
  return dependencies.filter(({ firstServiceId }) => ids.includes(firstServiceId));
}

const rinse = () => `Rinse ${mark}`;
const setting = () => `Setting ${mark}`;

test.describe('the rules between services', () => {
  test('are created, removed and restored in the table, with the keyboard alone', async () => {
    const page = await freshPage({ as: people.manager, width: 390 });
    await page.goto(`/${WILLOW}/dependencies`);
    await inside(page);
    await page.getByRole('button', { name: 'New rule' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    await dialog.getByLabel('First service').focus();
    await page.keyboard.type(rinse());
    await page.keyboard.press('Tab');
    await page.keyboard.type('Earlier visit');
    await page.keyboard.press('Tab');
    await page.keyboard.type(setting());
    await page.keyboard.press('Tab');
    await page.keyboard.type('48');
    await page.keyboard.press('Tab');
    await page.keyboard.type('180');
    const sentence = `${setting()} needs an earlier visit with ${rinse()}: at least 48 hours, up to 180 days before.`;
    await dialog.getByText(sentence).waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const remove = page.getByRole('button', { name: `Delete: ${sentence}` });
    await remove.waitFor();
    const [rule] = await rulesOfMine();
    expect([rule?.rule, rule?.leastHours, rule?.mostDays]).toEqual([DependencyRule.EARLIER_VISIT, 48, 180]);

    await remove.press('Enter');
    await remove.waitFor({ state: 'detached' });
    await until(async () => expect(await rulesOfMine()).toEqual([]));
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await remove.waitFor();
    // The same rule again, under an id of its own.
    await until(async () =>
      expect((await rulesOfMine()).map((back) => ({ ...back, id: '' }))).toEqual([{ ...rule, id: '' }]),
    );
  });

  test('refuse one that contradicts others, and show which, in words and in the graph', async () => {
    await client.call(DependencyService.method.createDependency, {
      businessId: WILLOW,
      dependency: { firstServiceId: ids[0] ?? '', thenServiceId: ids[1] ?? '', rule: DependencyRule.ORDER },
    });
    const page = await freshPage({ as: people.admin });
    await page.goto('/admin/dependencies');
    await inside(page);
    await heading(page, 'Rules between services').waitFor();
    await page.getByLabel('Find a business').fill('will');
    await page.getByRole('main').getByRole('link', { name: 'Willow & Co' }).click();
    const known = `${setting()} comes after ${rinse()}.`;
    await page.getByRole('button', { name: `then : ${known}` }).waitFor();
    expect(new URL(page.url()).searchParams.get('business')).toBe(WILLOW);
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    await dialog.getByLabel('First service').selectOption({ label: setting() });
    await dialog.getByLabel('Second service').selectOption({ label: rinse() });
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await dialog.getByRole('alert').getByText('This rule contradicts others:').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: known }).waitFor();
    await dialog.getByRole('button', { name: 'See them on the page' }).click();
    await page
      .getByRole('alert')
      .getByText(`“${rinse()} comes after ${setting()}.” was not added: it contradicts`)
      .waitFor();
    await page.getByRole('button', { name: `${known} Part of the contradiction.` }).waitFor();
    await page.getByRole('button', { name: 'The refused rule Part of the contradiction.' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: rinse() });
    await row.getByText('Contradicts').waitFor();
    expect(await rulesOfMine()).toHaveLength(1);
    await page.getByRole('button', { name: 'Change the new rule' }).click();
    await dialog.getByLabel('Rule', { exact: true }).selectOption({ label: 'Same person' });
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until(async () => expect(await rulesOfMine()).toHaveLength(2));
    expect(await page.getByText('Contradicts', { exact: true }).count()).toBe(0);
  });

  test('are read-only for an employee', async () => {
    await client.call(DependencyService.method.createDependency, {
      businessId: WILLOW,
      dependency: {
        firstServiceId: ids[0] ?? '',
        thenServiceId: ids[1] ?? '',
        rule: DependencyRule.PARALLEL,
      },
    });
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/services`);
    await inside(page);
    await page.getByRole('link', { name: 'Rules' }).click();
    await page
      .getByRole('button', { name: `${rinse()} and ${setting()} may take place at the same time.` })
      .click();
    await page
      .getByText(`${rinse()} and ${setting()} may take place at the same time.`, { exact: true })
      .waitFor();
    expect(await page.getByRole('button', { name: /^(New rule|Delete)/ }).count()).toBe(0);
  });
});
