import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { enter, freshPage, heading, inside } from './browser';
import { createAdmin, READY_WITHIN_MS, type Stop, startStack } from './local';
import { LINKS, mailed } from './mail';
import { PASSWORD, secondPlace, WORKER } from './stack';
import { bookedOnThePhone } from './telephone';
import { expect, test } from './test';

const place = secondPlace(WORKER);
const at = place.url;
const mail = { folder: join(place.data, 'mail') };
const [ADMIN, OWNER] = ['first@salon.test', 'olga@salon.test'];

/** A page’s empty state, with the button that ends it. */
async function isEmpty(page: Page, path: string, title: string, button?: string): Promise<void> {
  await page.goto(path);
  await inside(page);
  const main = page.getByRole('main');
  await main.getByText(title).first().waitFor();
  if (button)
    await main
      .getByRole('link', { name: button })
      .or(main.getByRole('button', { name: button }))
      .first()
      .waitFor();
}

test.describe('an installation without the demo', () => {
  let stop: Stop | undefined;
  test.beforeAll(async () => {
    test.setTimeout(2 * READY_WITHIN_MS);
    stop = await startStack(place, {}, ['--no-demo']);
  });
  test.afterAll(async () => {
    test.setTimeout(2 * READY_WITHIN_MS);
    await stop?.();
  });

  test('leads its first administrator and its first owner to the first booked call', async () => {
    test.setTimeout(2 * READY_WITHIN_MS);
    const admin = await freshPage({ at });
    await admin.goto(await createAdmin(place, ADMIN));
    await heading(admin, 'Welcome to Frontdesk').waitFor();
    await admin.getByLabel('Your name').fill('Ada Admin');
    await admin.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await admin.getByLabel('New password again').fill(PASSWORD);
    await admin.getByRole('button', { name: 'Save password' }).click();
    await enter(admin, ADMIN);
    await admin.waitForURL('**/admin');
    await admin.getByRole('button', { name: 'Account of Ada Admin' }).waitFor();
    for (const path of ['/admin', '/admin/biz', '/admin/businesses', '/admin/salon-scheduling'])
      await isEmpty(admin, path, 'No businesses yet', 'Create a business');
    await isEmpty(admin, '/my/businesses', 'You are not part of any business yet', 'All businesses');

    await admin.goto('/admin');
    await admin.getByRole('main').getByRole('link', { name: 'Create a business' }).click();
    await admin.getByLabel('Name', { exact: true }).fill('First Salon');
    await admin.getByLabel('Time zone').selectOption('Europe/London');
    await admin.getByRole('button', { name: 'Create business' }).click();
    await heading(admin, 'Opening hours').waitFor();
    const businessId = new URL(admin.url()).searchParams.get('business') ?? '';
    await admin.getByRole('button', { name: 'Save and go on' }).click();
    await heading(admin, 'Employees').waitFor();

    // Left here: its pages say what they wait for, and the home of administrators leads back.
    for (const [path, title, button] of [
      ['', 'Add employees and their hours', 'Add employees and their hours'],
      ['/schedule', 'Add employees and their hours', 'Add employees and their hours'],
      ['/team', 'Add employees and their hours', 'Add employees and their hours'],
      ['/calls', 'No calls yet'],
      ['/customers', 'No customers yet', 'New customer'],
      ['/items', 'No items yet', 'New item'],
      ['/services', 'No services yet', 'New service'],
      ['/dependencies', 'Rules need two services', 'Services'],
      ['/inbox', 'Nothing needs you'],
      ['/waitlist', 'No one is waiting'],
      ['/insights', 'Nothing to measure yet'],
      ['/intelligence', 'Nothing to measure yet'],
      ['/members', 'No members yet', 'Invite member'],
      ['/appointment-sync', 'No appointment is in a calendar'],
      ['/provider-credentials', 'No booking system is connected', 'Connect a booking system'],
    ] as const)
      await isEmpty(admin, `/${businessId}${path}`, title, button);
    await admin.goto('/admin');
    await admin.getByRole('link', { name: 'Go on setting up First Salon' }).click();
    await heading(admin, 'Employees').waitFor();
    await admin.getByLabel('Name of an employee').fill('Ana Ash');
    await admin.getByRole('button', { name: 'Add', exact: true }).click();
    await admin.getByText('Has working hours').waitFor();
    await admin.getByRole('button', { name: 'Go on' }).click();
    await heading(admin, 'Services').waitFor();
    await admin.getByRole('button', { name: /^Add \d+ services$/ }).click();
    await admin.getByText(/^\d+ services are added\.$/).waitFor();
    await admin.getByRole('button', { name: 'Go on' }).click();
    await heading(admin, 'Owner').waitFor();
    await admin.getByLabel('E-mail of the owner').fill(OWNER);
    await admin.getByRole('button', { name: 'Send invitation' }).click();
    await admin.getByRole('list', { name: 'Invitations' }).getByText(OWNER).waitFor();
    await admin.getByRole('button', { name: 'Go on' }).click();
    await heading(admin, 'Telephone').waitFor();
    await admin.getByRole('button', { name: 'Connect a platform' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Webhook key').fill('key_1234567890');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    const field = admin.getByLabel('Webhook address of Front desk line', { exact: true });
    const webhook = await field.inputValue();
    expect(webhook).toContain(`${at}/api/webhooks/voice/retell/`);

    const caller = 'Fiona First';
    const booked = await bookedOnThePhone({ webhook, key: 'key_1234567890' }, caller, 'Cut');
    expect(booked.employee).toMatch(/^Ana/);
    await admin.getByText(/^A call from .+ arrived/).waitFor();
    await admin.getByRole('button', { name: 'Finish' }).click();
    await admin.waitForURL(`**/${businessId}`);

    const owner = await freshPage({ at });
    await owner.goto(await mailed(OWNER, LINKS.invitation, mail));
    await owner.getByLabel('Your name').fill('Olga Owner');
    await owner.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await owner.getByRole('button', { name: 'Create account and join' }).click();
    await owner.waitForURL(`**/${businessId}`);
    await heading(owner, 'First Salon').waitFor();
    const left = owner.getByRole('list', { name: 'Left to set up' });
    await left.getByText('Publish the agent').waitFor();
    await expect(left.getByRole('listitem')).toHaveCount(1);
    await owner.getByRole('main').getByText(caller).first().waitFor();
    await admin.goto('/admin');
    await admin.getByText('Nothing needs you').waitFor();
  });
});
