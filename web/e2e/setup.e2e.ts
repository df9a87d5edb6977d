import { randomUUID } from 'node:crypto';
import { MemberService } from '../src/gen/frontdesk/auth/v1/member_pb';
import { EmployeeService } from '../src/gen/frontdesk/tenancy/v1/employee_pb';
import { freshPage, heading, inside } from './browser';
import { LINKS, mailed } from './mail';
import { cardOf } from './quiet-day';
import { RestClient } from './rest';
import { PASSWORD, people, WILLOW } from './stack';
import { bookedOnThePhone } from './telephone';
import { expect, test } from './test';
import { until } from './until';

const address = (who: string) => `${who}-${randomUUID().slice(0, 8)}@demo.test`;

test.describe('a new salon', () => {
  test('is set up from nothing, left and gone on with, and its people come in', async () => {
    test.setTimeout(120_000);
    const name = `Birch ${randomUUID().slice(0, 6)}`;
    const admin = await freshPage({ as: people.admin });
    await admin.goto('/admin/businesses');
    await admin.getByRole('link', { name: 'Create a business' }).click();
    await heading(admin, 'Create a business').waitFor();
    await admin.getByRole('button', { name: 'Create business' }).click();
    await admin.getByText('Give it a name.').waitFor();
    await admin.getByLabel('Name', { exact: true }).fill(name);
    await admin.getByLabel('Phone (optional)').fill('call us');
    await admin.getByRole('button', { name: 'Create business' }).click();
    // The server's own words, at its field.
    await expect(admin.getByLabel('Phone (optional)')).toHaveAttribute('aria-invalid', 'true');
    await admin.getByLabel('Phone (optional)').fill('020 7946 0999');
    await admin.getByLabel('Time zone').selectOption('Europe/London');
    await admin.getByRole('button', { name: 'Create business' }).click();
    await admin.waitForURL(/step=hours/);
    const businessId = new URL(admin.url()).searchParams.get('business') ?? '';

    await heading(admin, 'Opening hours').waitFor();
    const crumbs = admin.getByRole('navigation', { name: 'Breadcrumbs' });
    await expect(crumbs.getByRole('link').last()).toHaveText('Set up a business');
    // Each day on its line, whole, beside the steps.
    const week = admin.getByRole('list', { name: 'Days of the week' });
    expect(await week.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    await admin.getByRole('checkbox', { name: 'Saturday' }).uncheck();
    await admin.getByRole('button', { name: 'Save and go on' }).click();
    await admin.waitForURL(/step=team/);

    // Left here, the address alone is enough to go on where it stands.
    await admin.goto(`/admin/businesses/create?business=${businessId}`);
    await heading(admin, 'Employees').waitFor();
    await admin.getByLabel('Name of an employee').fill('Ana Ash');
    await admin.getByRole('button', { name: 'Add', exact: true }).click();
    const team = admin.getByRole('list', { name: 'Employees' });
    await team.getByText('Ana Ash').waitFor();
    await team.getByText('Has working hours').waitFor();
    await admin.getByLabel('Name of an employee').fill('ana ash');
    await admin.getByRole('button', { name: 'Add', exact: true }).click();
    await admin.getByText('Ana Ash is in the team already').waitFor();
    await expect(team.getByRole('listitem')).toHaveCount(1);
    await admin.getByRole('button', { name: 'Go on' }).click();

    await heading(admin, 'Services').waitFor();
    await admin.getByText('Barber', { exact: true }).click();
    await admin.getByRole('checkbox', { name: /^Buzz cut/ }).uncheck();
    const price = admin.getByLabel('Price of Haircut (GBP)');
    await price.fill('a lot');
    await admin.getByText('The price of Haircut must be an amount in GBP.').waitFor();
    await price.fill('27.50');
    // A reload keeps what is not saved yet.
    await admin.reload();
    await admin.getByText('What you had filled in is back.').waitFor();
    await expect(price).toHaveValue('27.50');
    await expect(admin.getByRole('checkbox', { name: /^Buzz cut/ })).not.toBeChecked();
    await admin.getByRole('button', { name: 'Add 6 services' }).click();
    await admin.getByText('6 services are added.').waitFor();
    await admin.getByRole('list', { name: 'Services' }).getByText('£27.50').waitFor();
    await admin.getByRole('button', { name: 'Go on' }).click();

    await heading(admin, 'Owner').waitFor();
    await admin.getByRole('button', { name: 'Skip for now' }).waitFor();
    const owner = address('olga');
    await admin.getByLabel('E-mail of the owner').fill(owner);
    // The browser asks first.
    admin.once('dialog', (asked) => void asked.accept());
    await admin.reload();
    await expect(admin.getByLabel('E-mail of the owner')).toHaveValue(owner);
    await admin.getByRole('button', { name: 'Send invitation' }).click();
    await admin.getByRole('list', { name: 'Invitations' }).getByText(owner).waitFor();
    await admin.getByRole('button', { name: 'Go on' }).click();

    await heading(admin, 'Telephone').waitFor();
    await admin.getByText('No call has arrived yet.').waitFor();
    const number = admin.getByLabel('Number of the agent');
    await number.fill('7946');
    await number.blur();
    await admin.getByText('Enter the number in full').waitFor();
    expect(await admin.getByText('**21*').count()).toBe(0);
    await number.fill('+44 20 7946 0123');
    await admin.getByText('**21*+442079460123#').waitFor();
    await admin.getByRole('button', { name: 'Connect a platform' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Webhook key').fill('key_1234567890');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    const webhook = admin.getByLabel('Webhook address of Front desk line', { exact: true });
    const webhookUrl = await webhook.inputValue();
    expect(webhookUrl).toMatch(/\/api\/webhooks\/voice\/retell\/[0-9a-f-]{36}$/);
    const steps = admin.getByRole('navigation', { name: 'Steps' });
    await until(async () => expect(await steps.getByText(', done').count()).toBe(6));
    await admin.getByRole('button', { name: 'Finish' }).click();
    await admin.waitForURL(`**/${businessId}`);

    // The owner accepts, and of a salon that is set up the agent alone is left to publish.
    const page = await freshPage();
    await page.goto(await mailed(owner, LINKS.invitation));
    await page.getByLabel('Your name').fill('Olga Owner');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.waitForURL(`**/${businessId}`);
    await heading(page, name).waitFor();
    await heading(page, 'Next appointments').waitFor();
    const left = page.getByRole('list', { name: 'Left to set up' });
    await left.getByText('Publish the agent').waitFor();
    await expect(left.getByRole('listitem')).toHaveCount(1);
    await page.goto(`/${businessId}/details?tab=team`);

    // She invites the employee, whose account then is the one of the employee.
    const employee = address('ana');
    await page.getByRole('button', { name: 'Invite Ana Ash' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill(employee);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText(`Invited at ${employee}, not accepted yet`).waitFor();
    await page.getByRole('link', { name: 'Invitation of Ana Ash' }).click();
    await page.getByRole('list', { name: 'Invitations' }).getByText(employee).waitFor();
    await page.goBack();
    const ana = await freshPage();
    await ana.goto(await mailed(employee, LINKS.invitation));
    await ana.getByLabel('Your name').fill('Anastasia');
    await ana.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await ana.getByRole('button', { name: 'Create account and join' }).click();
    await ana.waitForURL(`**/${businessId}`);
    await inside(ana);
    await page.getByText('Signs in and sees their own day').waitFor();
    expect(await page.getByRole('list', { name: 'Employees' }).getByRole('listitem').count()).toBe(1);
    await heading(ana, 'My day').waitFor();

    // An account is taken from an employee, and the undo links it again.
    await page.getByRole('button', { name: 'Edit Ana Ash' }).click();
    await page.getByRole('button', { name: 'Unlink account' }).click();
    const unlinking = page.getByRole('dialog', { name: 'Unlink the account of Ana Ash?' });
    await unlinking.getByText(`Anastasia (${employee})`).waitFor();
    await unlinking.getByRole('button', { name: 'Unlink account' }).click();
    await page.getByText('Does not sign in').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Ana Ash has the account again.').waitFor();
    await page.getByText('Signs in and sees their own day').waitFor();

    // The first customer calls, and the visit stands on the day of the new employee.
    const caller = `Fiona First ${randomUUID().slice(0, 4)}`;
    const line = { webhook: webhookUrl, key: 'key_1234567890' };
    const booked = await bookedOnThePhone(line, caller, 'Haircut');
    expect(booked.employee).toMatch(/^Ana/);
    await ana.goto(`/${businessId}/schedule?date=${booked.startsAt.slice(0, 10)}`);
    await cardOf(ana, caller).waitFor();
    await page.goto(`/${businessId}/calls`);
    await page.getByText(caller).first().waitFor();
    // Nothing is left to do for the administrator either: the test call is the first call.
    await admin.goto(`/admin/businesses/create?business=${businessId}&step=phone`);
    await admin.getByText(/^A call from .+ arrived/).waitFor();
  });

  test('is set up on a phone, past steps that wait, without scrolling sideways', async () => {
    const rest = await RestClient.as(people.admin);
    const { BusinessService } = await import('../src/gen/frontdesk/tenancy/v1/business_pb');
    const { business } = await rest.call(BusinessService.method.createBusiness, {
      name: `Ash ${randomUUID().slice(0, 6)}`,
      timeZone: 'Europe/London',
    });
    const page = await freshPage({ as: people.admin, width: 390 });
    await page.goto(`/admin/businesses/create?business=${business?.id}&step=team`);
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.waitForURL(/step=services/);
    await page.getByRole('button', { name: /^Add \d+ services$/ }).dblclick();
    await page.getByText(/services are added/).waitFor();
    await page.goto(`/admin/businesses/create?business=${business?.id}&step=phone`);
    await page.getByText('Connect a platform first').waitFor();
    await expect(page.getByRole('link', { name: 'Telephone' })).toBeInViewport({ ratio: 0.9 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    // The last step leads to what was left out, never back to itself.
    await page.getByRole('button', { name: 'Go on to opening hours' }).click();
    await heading(page, 'Opening hours').waitFor();
  });

  test('shows its owner what is left to do, with the way there', async () => {
    const admin = await RestClient.as(people.admin);
    const { BusinessService } = await import('../src/gen/frontdesk/tenancy/v1/business_pb');
    const { business } = await admin.call(BusinessService.method.createBusiness, {
      name: `Elm ${randomUUID().slice(0, 6)}`,
      timeZone: 'Europe/London',
    });
    const businessId = business?.id ?? '';
    const email = address('otto');
    await admin.call(MemberService.method.invite, { businessId, email, role: 'OWNER' });
    const page = await freshPage();
    await page.goto(await mailed(email, LINKS.invitation));
    await page.getByLabel('Your name').fill('Otto Owner');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.waitForURL(`**/${businessId}`);
    const left = page.getByRole('list', { name: 'Left to set up' });
    await left.getByText('Set the opening hours').waitFor();
    await expect(left.getByRole('listitem')).toHaveCount(5);
    await left.getByRole('link', { name: 'Set the opening hours' }).click();
    await page.waitForURL(`**/${businessId}/details?tab=hours`);
    await page.getByRole('button', { name: 'Change hours' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Monday' }).check();
    await dialog.getByRole('button', { name: 'Save hours' }).click();
    await page.getByText('The opening hours are saved.').waitFor();
    await page.goto(`/${businessId}`);
    await left.getByText('Add employees and their hours').waitFor();
    await expect(left.getByRole('listitem')).toHaveCount(4);
    // The pages that are empty without it say so as well.
    for (const part of ['schedule', 'team']) {
      await page.goto(`/${businessId}/${part}`);
      await left.getByText('Add employees and their hours').waitFor();
    }
    // Other pages are about something else.
    await page.getByRole('link', { name: 'Customers' }).first().click();
    await heading(page, 'Customers').waitFor();
    await left.waitFor({ state: 'detached' });
  });

  test('stands on the home of administrators and among all businesses until it is ready', async () => {
    const rest = await RestClient.as(people.admin);
    const { BusinessService } = await import('../src/gen/frontdesk/tenancy/v1/business_pb');
    const name = `Alder ${randomUUID().slice(0, 6)}`;
    const { business } = await rest.call(BusinessService.method.createBusiness, {
      name,
      timeZone: 'Europe/London',
    });
    const page = await freshPage({ as: people.admin });
    await page.goto('/admin');
    await inside(page);
    const waiting = page.getByRole('list', { name: 'Needs an administrator' });
    await waiting.getByText(name).waitFor();
    await page.getByRole('link', { name: 'Businesses at a glance' }).first().click();
    await heading(page, 'Businesses at a glance').waitFor();
    const row = (who: string) => page.getByRole('row', { name: new RegExp(who) });
    await row(name)
      .getByRole('link', { name: new RegExp(`go on setting up ${name}`, 'i') })
      .waitFor();
    await row(name)
      .getByRole('link', { name: /^Agent not published/ })
      .waitFor();
    await row('Willow & Co')
      .getByRole('link', { name: /^Agent version \d+/ })
      .waitFor();
    // What the demo salon's days have.
    await until(async () => {
      const cells = await row('Willow & Co').getByRole('cell').allTextContents();
      expect(Number(cells[5])).toBeGreaterThan(0);
      expect(cells[6]).toMatch(/^\d+, all read/);
    });
    await row(name)
      .getByRole('link', { name: new RegExp(`go on setting up ${name}`, 'i') })
      .click();
    await page.waitForURL(`**/admin/businesses/create?business=${business?.id}&step=hours`);
    await heading(page, `Set up ${name}`).waitFor();
    await heading(page, 'Opening hours').waitFor();
  });

  for (const width of [1280, 1024])
    test(`stands with all others at a glance without scrolling sideways, ${width} wide`, async () => {
      const page = await freshPage({ as: people.admin, width });
      await page.goto('/admin/biz');
      const region = page.getByRole('region', { name: 'Businesses at a glance' });
      await region.getByRole('link', { name: 'Willow & Co', exact: true }).waitFor();
      const [wanted, given] = await region.evaluate((table) => [table.scrollWidth, table.clientWidth]);
      expect(wanted).toBeLessThanOrEqual(given ?? 0);
    });

  test('says how it is at a glance on a phone, too, before its figures', async () => {
    const page = await freshPage({ as: people.admin, width: 390 });
    await page.goto('/admin/biz');
    const row = page.getByRole('row', { name: /Harbour Barbers/ });
    const state = row.getByRole('link', { name: /left to set up/ });
    await state.waitFor();
    await row.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await expect(state).toBeInViewport({ ratio: 0.5 });
    const figures = await row.locator('[data-figures]').first().boundingBox();
    expect((await state.boundingBox())?.y).toBeLessThan(figures?.y ?? 0);
  });

  test('of an unknown address is not found', async () => {
    const page = await freshPage({ as: people.admin });
    await page.goto('/admin/businesses/create?business=01900000-0000-7000-8000-00000000dead');
    await heading(page, 'Page not found').waitFor();
  });
});

test('an employee’s address for administrators finds its business', async () => {
  const rest = await RestClient.as(people.admin);
  const { employees } = await rest.call(EmployeeService.method.listEmployees, { businessId: WILLOW });
  const mia = employees.find(({ name }) => name === 'Mia Larsen');
  const page = await freshPage({ as: people.admin });
  await page.goto(`/admin/schedule/employee/${mia?.id}`);
  await heading(page, 'Mia Larsen').waitFor();
  expect(new URL(page.url()).searchParams.get('business')).toBe(WILLOW);
  await page.getByRole('main').getByText('Willow & Co', { exact: true }).waitFor();
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(crumbs.getByRole('link').last()).toHaveText('Working hours');
  await page.getByRole('link', { name: 'Another business' }).waitFor();
  await page.goto('/admin/schedule/employee/01900000-0000-7000-8000-00000000dead');
  await heading(page, 'Page not found').waitFor();
});
