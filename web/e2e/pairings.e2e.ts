import { CatalogueService } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import { PairingService } from '../src/gen/frontdesk/scheduling/v1/pairing_pb';
import { freshPage, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const note = `Ask ${crypto.randomUUID().slice(0, 8)}`;

async function mine(client: RestClient) {
  const { pairings } = await client.call(PairingService.method.listPairings, {
    businessId: WILLOW,
    pageSize: 200,
  });
  return pairings.filter((pairing) => pairing.note === note);
}

test.afterEach(async () => {
  const client = await RestClient.as(people.manager);
  for (const { id } of await mine(client))
    await client.call(PairingService.method.deletePairing, { businessId: WILLOW, pairingId: id });
});

/** Two services without a pairing. */
async function unpaired(client: RestClient) {
  const [{ services }, { pairings }] = [
    await client.call(CatalogueService.method.listServices, { businessId: WILLOW, pageSize: 200 }),
    await client.call(PairingService.method.listPairings, { businessId: WILLOW, pageSize: 200 }),
  ];
  const taken = new Set(pairings.map((pairing) => `${pairing.serviceId} ${pairing.suggestedServiceId}`));
  for (const one of services)
    for (const other of services)
      if (one !== other && !taken.has(`${one.id} ${other.id}`)) return [one, other] as const;
  throw new Error('Every service is paired with every other one.');
}

test.describe('service pairings', () => {
  test('are created by hand, undone and created again, with the filter in the address', async () => {
    const client = await RestClient.as(people.manager);
    const [one, other] = await unpaired(client);
    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/pairings`);
    await inside(page);
    await page.getByLabel('Pairings of').selectOption({ label: one.name });
    await expect.poll(() => new URL(page.url()).searchParams.get('service')).toBe(one.id);
    // The address changes before the page does, which goes on from its own choice.
    await expect.poll(() => page.getByLabel('Pairings of').inputValue()).toBe(one.id);
    await page.getByRole('button', { name: 'New pairing' }).click();
    const dialog = page.getByRole('dialog', { name: 'New pairing' });
    const offered = dialog.getByLabel('Is offered');
    await offered.selectOption({ label: one.name });
    await dialog.getByRole('button', { name: 'Add pairing' }).click();
    await dialog.getByText('Choose another service.').waitFor();
    await offered.selectOption({ label: other.name });
    await dialog.getByLabel('How to say it (optional)').fill(note);
    await dialog.getByRole('button', { name: 'Add pairing' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('table', { name: 'Pairings made by hand' }).getByRole('row').filter({
      hasText: note,
    });
    await row.getByRole('rowheader', { name: one.name }).waitFor();

    await page.getByRole('button', { name: 'New pairing' }).click();
    await offered.selectOption({ label: other.name });
    await dialog.getByRole('button', { name: 'Add pairing' }).click();
    await dialog.getByText('This is suggested already.').waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'Discard what you entered?' })
      .getByRole('button', { name: 'Discard' })
      .click();

    await page.getByLabel('Pairings of').selectOption({ label: other.name });
    await row.waitFor({ state: 'detached' });
    await page.reload();
    await until(async () => expect(await page.getByLabel('Pairings of').inputValue()).toBe(other.id));
    await page.getByLabel('Pairings of').selectOption('');

    await row.getByRole('button', { name: `Delete: ${other.name} with ${one.name}` }).click();
    await row.waitFor({ state: 'detached' });
    await until(async () => expect(await mine(client)).toEqual([]));
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    expect(await mine(client)).toHaveLength(1);
  });

  test('that were measured are shown with both sides, and can be suggested', async () => {
    const client = await RestClient.as(people.manager);
    const { pairings, visits } = await client.call(PairingService.method.listMeasuredPairings, {
      businessId: WILLOW,
    });
    const page = await freshPage({ as: people.admin });
    await page.goto(`/admin/service-pairings?business=${WILLOW}`);
    await inside(page);
    // Of no visit there is nothing to say.
    const over = page.getByText(`Over ${visits.toLocaleString('en-GB')} visits of the last year`);
    if (visits > 0) await over.waitFor();
    const [strongest] = pairings;
    if (!strongest) {
      await page.getByText('Nothing is bought together more than by chance').waitFor();
      return;
    }
    const row = page.getByRole('table', { name: 'Measured pairings' }).getByRole('row').nth(1);
    await row.getByText(`${strongest.lift.toFixed(1)} ×`).waitFor();
    await row.getByText(`of ${strongest.visitsWithOther} with ${strongest.otherServiceName}`).waitFor();
    await row.getByRole('button', { name: /^Suggest/ }).click();
    const dialog = page.getByRole('dialog', { name: 'New pairing' });
    expect(await dialog.getByLabel('Is offered').inputValue()).toBe(strongest.otherServiceId);
  });

  test('are read-only for an employee', async () => {
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/pairings`);
    await inside(page);
    // What was measured is there: either some pairings, or that there are none. Whether the demo has finished any
    // visits, and the page tells of how many, depends on the hour.
    const measured = page.getByRole('table', { name: 'Measured pairings' });
    await measured.or(page.getByText('Nothing is bought together more than by chance')).waitFor();
    expect(await page.getByRole('button', { name: /^(New pairing|Suggest|Delete)/ }).count()).toBe(0);
  });
});
