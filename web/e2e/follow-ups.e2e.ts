import { FollowUpService } from '../src/gen/frontdesk/tenancy/v1/follow_up_pb';
import { freshPage, heading, inside } from './browser';
import { followed } from './live';
import { toast } from './quiet-day';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

let client: RestClient;
const mine = `Call back ${crypto.randomUUID().slice(0, 8)}`;

async function open() {
  const { followUps } = await client.call(FollowUpService.method.listFollowUps, {
    businessId: WILLOW,
    pageSize: 200,
  });
  return followUps.filter(({ text }) => text.startsWith(mine));
}

test.beforeAll(async () => {
  client = await RestClient.as(people.manager);
});
test.afterAll(async () => {
  for (const { id } of await open())
    await client.call(FollowUpService.method.completeFollowUp, { businessId: WILLOW, followUpId: id });
});

test.describe('follow-ups', () => {
  test('are created with the keyboard, assigned, completed and reopened', async () => {
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/inbox`);
    await inside(page);
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New follow-up' });
    await dialog.getByLabel('What is to be done').fill(mine);
    await dialog.getByLabel('Number to call back').fill('07700 900123');
    await dialog.getByLabel('Due on').fill('2020-01-02');
    await dialog.getByRole('button', { name: 'Add follow-up' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('listitem').filter({ hasText: mine });
    await row.getByText('Was due 2 Jan 2020, 18:00').waitFor();
    await row.getByRole('link', { name: /7700 900 123$/ }).waitFor();
    await row.getByText('For anyone').waitFor();
    await row.getByText(/^Today, \d{1,2}:\d{2}$/).waitFor();

    await row.getByRole('button', { name: `Assign ${mine}` }).click();
    const assigning = page.getByRole('dialog', { name: 'Who does it, and until when' });
    await assigning.getByLabel('Assigned to').selectOption({ label: 'Mia Larsen' });
    await assigning.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Mia Larsen').waitFor();

    await row.getByRole('button', { name: `Done ${mine}` }).click();
    await row.waitFor({ state: 'detached' });
    await until(async () => expect(await open()).toEqual([]));
    await toast(page).getByText(`Done: ${mine}`).waitFor();
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    // The row alone does not tell: a reading begun before it was done may show it once more.
    await until(async () => expect((await open())[0]?.employeeName).toBe('Mia Larsen'));
    await row.waitFor();
  });

  test('show errors at their fields', async () => {
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/inbox`);
    await inside(page);
    await page.getByRole('button', { name: 'New follow-up' }).click();
    const dialog = page.getByRole('dialog', { name: 'New follow-up' });
    const refused = `${mine} at once`;
    await dialog.getByLabel('What is to be done').fill(refused);
    await dialog.getByLabel('Number to call back').fill('12');
    await dialog.getByRole('button', { name: 'Add follow-up' }).click();
    await expect
      .poll(() => dialog.getByLabel('Number to call back').getAttribute('aria-invalid'))
      .toBe('true');
    expect((await open()).map(({ text }) => text)).not.toContain(refused);
  });

  test('appear by themselves, and count in the shell', async () => {
    const page = await freshPage({ as: people.owner });
    const told = followed(page);
    await page.goto(`/${WILLOW}/inbox`);
    await heading(page, 'Inbox').waitFor();
    await told;
    await client.call(FollowUpService.method.createFollowUp, {
      businessId: WILLOW,
      text: `${mine} by phone`,
    });
    await page
      .getByRole('listitem')
      .filter({ hasText: `${mine} by phone` })
      .waitFor();
    const counted = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox.*\d/ });
    await counted.waitFor();
  });
});
