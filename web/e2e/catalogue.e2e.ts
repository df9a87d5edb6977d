import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Page } from '@playwright/test';
import { AvailabilityService } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import { CatalogueService, SegmentKind, type Service } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import { ResourceService } from '../src/gen/frontdesk/scheduling/v1/resource_pb';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const A_MONTH_MS = 30 * 86_400_000;
const made: string[] = [];

/** A name no other run has used. */
const named = (what: string) => {
  const name = `${what} ${crypto.randomUUID().slice(0, 8)}`;
  made.push(name);
  return name;
};

async function servicesNow(client: RestClient): Promise<Service[]> {
  const { services } = await client.call(CatalogueService.method.listServices, {
    businessId: WILLOW,
    pageSize: 200,
  });
  return services;
}

test.afterEach(async () => {
  const names = made.splice(0);
  const client = await RestClient.as(people.manager);
  for (const { id, name } of await servicesNow(client))
    if (names.some((known) => name.startsWith(known)))
      await client.call(CatalogueService.method.archiveService, { businessId: WILLOW, serviceId: id });
});

/** A service of three stretches, as others would have made it. */
async function aService(what: string): Promise<string> {
  const client = await RestClient.as(people.manager);
  const [known] = await servicesNow(client);
  const name = named(what);
  await client.call(CatalogueService.method.createService, {
    businessId: WILLOW,
    service: {
      name,
      category: 'Journeys',
      segments: [
        { kind: SegmentKind.ACTIVE, minutes: 20 },
        { kind: SegmentKind.PROCESSING, minutes: 30 },
        { kind: SegmentKind.ACTIVE, minutes: 15 },
      ],
      priceMinor: 5000,
      currency: known?.currency ?? 'GBP',
      employeeIds: known?.employeeIds ?? [],
    },
  });
  return name;
}

async function servicesOf(email: string, visit: { width?: number } = {}): Promise<Page> {
  const page = await freshPage({ as: email, ...visit });
  await page.goto(`/${WILLOW}/services`);
  await inside(page);
  return page;
}

async function choose(page: Page, service: string, what: 'Edit' | 'Archive'): Promise<void> {
  await page.getByRole('button', { name: `Change ${service}` }).click();
  await page.getByRole('menuitem', { name: what }).click();
}

test.describe('the services of a salon', () => {
  test('get a new one with processing time, which is offered from then on', async () => {
    const name = named('Gloss');
    const page = await servicesOf(people.manager);
    await page.getByRole('button', { name: 'New service' }).click();
    const dialog = page.getByRole('dialog', { name: 'New service' });
    await dialog.getByRole('button', { name: 'Add service' }).click();
    await dialog.getByText('Give it a name.').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Category (optional)').fill('Journeys');
    await dialog
      .getByLabel(/^Price/)
      .first()
      .fill('48.50');
    await dialog.getByRole('button', { name: 'Processing', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add service' }).click();
    await dialog.getByText(/let it not come last/).waitFor();
    await dialog.getByRole('button', { name: 'Time with staff' }).click();
    const bar = dialog.getByRole('img', {
      name: '45 min with staff, 30 min processing, 30 min with staff',
    });
    await bar.waitFor();
    await dialog.getByRole('checkbox', { name: 'Mia Larsen' }).check();
    await dialog.getByRole('button', { name: /^Own price and times of/ }).click();
    await dialog
      .getByRole('group', { name: /^Own price/ })
      .getByLabel('1. With staff')
      .fill('60');
    await dialog.getByLabel('Also heard as', { exact: true }).fill('gloss it');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove gloss it' }).waitFor();
    await dialog.getByRole('button', { name: 'Add service' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('listitem').filter({ has: heading(page, name) });
    await row.getByText('£48.50').waitFor();
    await row.getByRole('img', { name: '45 min with staff, 30 min processing, 30 min with staff' }).waitFor();

    const client = await RestClient.as(people.employee);
    const service = (await servicesNow(client)).find((candidate) => candidate.name === name);
    expect(service?.overrides.map(({ segmentMinutes }) => segmentMinutes)).toEqual([[60, 30, 30]]);
    const { offers } = await client.call(AvailabilityService.method.searchAvailability, {
      businessId: WILLOW,
      items: [{ serviceId: service?.id ?? '' }],
      // Mia may have no two hours in a row this week.
      to: timestampFromDate(new Date(Date.now() + A_MONTH_MS)),
    });
    const [offer] = offers;
    const length = Number(offer?.endsAt?.seconds ?? 0n) - Number(offer?.startsAt?.seconds ?? 0n);
    expect([length, offer?.priceMinor]).toEqual([(60 + 30 + 30) * 60, 4850]);
  });

  test('have their segments reordered with the keyboard alone, and announced', async () => {
    const name = await aService('Balayage');
    const page = await servicesOf(people.manager);
    await choose(page, name, 'Edit');
    const dialog = page.getByRole('dialog', { name: `Edit ${name}` });
    await dialog.getByRole('button', { name: 'Move 15 min with staff', exact: true }).focus();
    await page.keyboard.press('ArrowUp');
    await dialog.getByText('15 min with staff is now number 2 of 3.').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toBe('Move 15 min with staff');
    await page.keyboard.press('ArrowUp');
    await dialog
      .getByRole('img', { name: '15 min with staff, 20 min with staff, 30 min processing' })
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await dialog.getByLabel('Minutes').nth(1).focus();
    await dialog.getByRole('button', { name: 'Move 30 min processing', exact: true }).focus();
    await page.keyboard.press('ArrowUp');
    await dialog
      .getByRole('img', { name: '20 min with staff, 30 min processing, 15 min with staff' })
      .waitFor();
    await dialog.getByRole('button', { name: 'Move 15 min with staff', exact: true }).press('ArrowUp');
    await dialog.getByRole('button', { name: 'Move 15 min with staff', exact: true }).press('ArrowUp');
    await dialog.getByRole('button', { name: 'Move 20 min with staff', exact: true }).press('ArrowDown');
    await dialog
      .getByRole('img', { name: '15 min with staff, 30 min processing, 20 min with staff' })
      .waitFor();
    await dialog.getByRole('button', { name: 'Save service' }).click();
    await dialog.waitFor({ state: 'detached' });
    const client = await RestClient.as(people.manager);
    const saved = (await servicesNow(client)).find((service) => service.name === name);
    expect(saved?.segments.map(({ minutes }) => minutes)).toEqual([15, 30, 20]);
  });

  test('have their segments dragged', async () => {
    const name = await aService('Toner');
    const page = await servicesOf(people.manager);
    await choose(page, name, 'Edit');
    const dialog = page.getByRole('dialog', { name: `Edit ${name}` });
    const from = await dialog
      .getByRole('button', { name: 'Move 15 min with staff', exact: true })
      .boundingBox();
    const to = await dialog
      .getByRole('button', { name: 'Move 20 min with staff', exact: true })
      .boundingBox();
    if (!from || !to) throw new Error('The handles are not there.');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
    await page.mouse.up();
    await dialog
      .getByRole('img', { name: '15 min with staff, 20 min with staff, 30 min processing' })
      .waitFor();
  });

  test('lose one that is archived, unless it is undone in time', async () => {
    const name = await aService('Perm');
    const client = await RestClient.as(people.manager);
    const isThere = async () => (await servicesNow(client)).some((service) => service.name === name);
    const page = await servicesOf(people.manager);
    await choose(page, name, 'Archive');
    await page.getByText(`${name} is archived`).waitFor();
    const undo = page.getByRole('button', { name: `Undo: keep ${name}` });
    await expect.poll(() => undo.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await heading(page, name).waitFor();
    expect(await isThere()).toBe(true);

    await choose(page, name, 'Archive');
    await undo.waitFor();
    await page.getByRole('link', { name: 'Resources' }).click();
    await until(async () => expect(await isThere()).toBe(false));
    await page.getByRole('link', { name: 'Services' }).last().click();
    await heading(page, 'Services').waitFor();
    await heading(page, name).waitFor({ state: 'detached' });
  });

  test('show the server’s refusals at the field, and start over from changes made elsewhere', async () => {
    const [name, other] = [await aService('Braids'), await aService('Twists')];
    const page = await servicesOf(people.manager);
    await choose(page, name, 'Edit');
    const dialog = page.getByRole('dialog', { name: `Edit ${name}` });
    await dialog.getByLabel('Name', { exact: true }).fill(other);
    await dialog.getByRole('button', { name: 'Save service' }).click();
    await dialog.getByText('Another service has this name.').waitFor();

    const client = await RestClient.as(people.manager);
    const read = (await servicesNow(client)).find((service) => service.name === name);
    if (!read) throw new Error('The service is not there.');
    const { id: serviceId, $typeName: _, ...rest } = read;
    await client.call(CatalogueService.method.updateService, {
      businessId: WILLOW,
      serviceId,
      service: { ...rest, priceMinor: 7700 },
    });
    await dialog.getByLabel('Name', { exact: true }).fill(`${name} long`);
    await dialog.getByRole('button', { name: 'Save service' }).click();
    await dialog.getByText(/changed in the meantime/).waitFor();
    await dialog.getByRole('button', { name: 'Start from how it is now' }).click();
    await expect
      .poll(() =>
        dialog
          .getByLabel(/^Price/)
          .first()
          .inputValue(),
      )
      .toBe('77');
    await dialog.getByLabel('Name', { exact: true }).fill(`${name} long`);
    await dialog.getByRole('button', { name: 'Save service' }).click();
    await heading(page, `${name} long`).waitFor();
  });

  test('are read-only for an employee', async () => {
    const page = await servicesOf(people.employee);
    await page.getByRole('link', { name: 'Resources' }).waitFor();
    expect(await page.getByRole('button', { name: /^(New service|Change )/ }).count()).toBe(0);
    const guest = await servicesOf(people.guest);
    await heading(guest, 'Hair').waitFor();
    expect(await guest.getByRole('link', { name: 'Resources' }).count()).toBe(0);
    expect(await guest.getByRole('button', { name: /^(New service|Change )/ }).count()).toBe(0);
  });
});

test.describe('chairs, rooms and machines', () => {
  test('are added, renamed, removed and restored', async () => {
    const [name, kind] = [`Steamer ${crypto.randomUUID().slice(0, 8)}`, 'steamer'];
    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/services?tab=resources`);
    await inside(page);
    await page.getByRole('button', { name: 'New resource' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New resource' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Kind').fill(kind);
    await dialog.getByRole('button', { name: 'Add resource' }).click();
    const list = page.getByRole('list', { name: kind });
    await list.getByText(name, { exact: true }).waitFor();
    await page.getByRole('button', { name: `Rename ${name}` }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(`${name} B`);
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await list.getByText(`${name} B`, { exact: true }).waitFor();
    const client = await RestClient.as(people.manager);
    const named = async () => {
      const { resources } = await client.call(ResourceService.method.listResources, { businessId: WILLOW });
      return resources.filter((resource) => resource.name === `${name} B`);
    };
    const before = await named();
    const take = page.getByRole('button', { name: `Take ${name} B away` });
    await take.click();
    await take.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await page.getByText(`${name} B is there again.`).waitFor();
    await take.waitFor();
    const mine = await named();
    expect(mine.map((resource) => resource.kind)).toEqual([kind]);
    // The same one, by the id that its history has.
    expect(mine).toEqual(before);
    for (const { id } of mine)
      await client.call(ResourceService.method.archiveResource, { businessId: WILLOW, resourceId: id });
  });
});
