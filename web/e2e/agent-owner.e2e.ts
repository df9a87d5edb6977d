import { randomUUID } from 'node:crypto';
import { MemberService } from '../src/gen/frontdesk/auth/v1/member_pb';
import { BusinessService } from '../src/gen/frontdesk/tenancy/v1/business_pb';
import { freshPage, heading, inside } from './browser';
import { LINKS, mailed } from './mail';
import { RestClient } from './rest';
import { PASSWORD, people } from './stack';
import { leftMessage } from './telephone';
import { expect, test } from './test';
import { until } from './until';

/** The owner of a business in which nothing is set up. */
async function ownerOfNothing(name: string) {
  const admin = await RestClient.as(people.admin);
  const { business } = await admin.call(BusinessService.method.createBusiness, {
    name,
    timeZone: 'Europe/London',
  });
  const businessId = business?.id ?? '';
  const email = `ines-${randomUUID().slice(0, 8)}@demo.test`;
  await admin.call(MemberService.method.invite, { businessId, email, role: 'OWNER' });
  const page = await freshPage();
  await page.goto(await mailed(email, LINKS.invitation));
  await page.getByLabel('Your name').fill('Ines Owner');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL(`**/${businessId}`);
  return { page, businessId };
}

test('an owner sets an agent up from nothing, tries it, and follows its first call through the figures', async () => {
  test.setTimeout(120_000);
  const salon = `Rowan ${randomUUID().slice(0, 6)}`;
  const { page, businessId } = await ownerOfNothing(salon);

  // Nothing is claimed before there is a call.
  await page.goto(`/${businessId}/insights`);
  await inside(page);
  await expect(page.getByRole('list', { name: 'Ended calls by outcome' })).toHaveCount(0);

  // Nor that anything is in step before there is a calendar to compare.
  await page.goto(`/${businessId}/consistency`);
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Nothing was compared').waitFor();
  await expect(page.getByText(/^In step/)).toHaveCount(0);

  // What is left to set up leads to the agent, as the navigation does.
  await page.goto(`/${businessId}`);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Agent settings', exact: true }).waitFor();
  const left = page.getByRole('list', { name: 'Left to set up' });
  await left.getByRole('link', { name: 'Publish the agent' }).click();
  await page.waitForURL(`**/${businessId}/agent`);
  await page.getByRole('textbox', { name: 'Greeting' }).fill('Welcome to {{salon}}, how can I help?');
  await page.getByLabel(/^Number to pass callers on to/).fill('12');
  await page.getByRole('button', { name: 'Save the draft' }).click();
  // The server's own words, at its field.
  await expect(page.getByLabel(/^Number to pass callers on to/)).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel(/^Number to pass callers on to/).fill('+44 20 7946 0018');
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByText(/^Saved the draft/).waitFor();
  // What the prompt names and the salon lacks is said before a caller hears the gap.
  await page.getByRole('button', { name: 'Preview greeting and prompt' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText(/^Nothing is known for \{\{address\}\}/).waitFor();
  await page.getByRole('button', { name: 'Show what changes' }).click();
  const changes = page.getByRole('list', { name: 'Changes' });
  await changes.getByText('Number to pass callers on to').waitFor();
  await changes.getByText(/\+442079460018/).waitFor();

  // Tried before a caller hears it.
  const chat = page.getByRole('region', { name: 'Chat with the agent' });
  await page.getByRole('button', { name: 'Start a chat' }).click();
  await chat.getByText(`Welcome to ${salon}, how can I help?`).waitFor();
  await chat.getByLabel('What the caller says').fill('When are you open on Friday?');
  await chat.getByRole('button', { name: 'Say it' }).click();
  await chat.getByText(/^Looked up the opening hours/).waitFor();
  await chat
    .getByText(/closed|no opening hours/i)
    .filter({ visible: true })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  await page.getByText(/^Published version 1\./).waitFor();
  await navigation.getByRole('link', { name: 'Home', exact: true }).click();
  await left.getByText('Connect the telephone').waitFor();
  await expect(left.getByText('Publish the agent')).toHaveCount(0);
  await navigation.getByRole('link', { name: 'Agent settings', exact: true }).click();

  await page.getByRole('button', { name: 'Connect a platform' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a voice platform' });
  await dialog.getByLabel('Webhook key').fill('key_of_rowan');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const webhook = await page
    .getByLabel(/^Webhook address of/)
    .first()
    .inputValue();

  const words = `Please tell Ines that parcel ${randomUUID().slice(0, 8)} is here.`;
  await leftMessage({ webhook: `${webhook}?agent_version=1`, key: 'key_of_rowan' }, words);
  await page.goto(`/${businessId}/calls`);
  await page.getByRole('main').getByText('Message', { exact: true }).first().waitFor();
  await page.locator(`main a[href^="/${businessId}/calls/"]`).first().click();
  await page.getByRole('list', { name: 'Conversation' }).getByText(words).first().waitFor();
  await page.getByText('Agent version', { exact: true }).waitFor();
  const read = new URL(page.url()).pathname;

  await page.goto(`/${businessId}/insights`);
  const outcomes = page.getByRole('list', { name: 'Ended calls by outcome' });
  const line = outcomes.getByRole('listitem').filter({ hasText: 'Message' });
  await until(async () => expect(await line.getByRole('link').textContent()).toBe('1'));
  await line.getByRole('link').click();
  await page.waitForURL(/\/calls\?.*outcome/);
  await page.locator(`main a[href="${read}"]`).click();
  await page.waitForURL(`**${read}`);
  await heading(page, 'Conversation').waitFor();
  // What was left is in the inbox as well.
  await page.goto(`/${businessId}/inbox`);
  await page.getByText(words).first().waitFor();

  // Who published it is said by name, though an owner need not be an employee.
  const admin = await freshPage({ as: people.admin });
  await admin.goto(`/admin/businesses/${businessId}/agent-settings`);
  await admin
    .getByRole('list', { name: 'Versions' })
    .getByText(/^Ines Owner, /)
    .waitFor();
});
