import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { ContactPolicyService } from '../src/gen/frontdesk/scheduling/v1/contact_policy_pb';
import { type Customer, CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { barriers } from './barriers';
import { freshPage, heading, inside } from './browser';
import { MIA, NOAH, SERVICE } from './own-day';
import { RestClient } from './rest';
import { bookedAt, cancelled, employeeNamed, firstOffer, serviceNamed, startOf } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const HIDDEN = 'Shown to employees with a visit of theirs within 30 days';

let manager: RestClient;
const booked: string[] = [];
let mias: Customer;
let noahs: Customer;

async function customer(name: string, phone: string): Promise<Customer> {
  const made = await manager.call(CustomerService.method.createCustomer, {
    businessId: WILLOW,
    name,
    phone,
    email: `${phone}@example.com`,
  });
  if (!made.customer) throw new Error('A customer is returned.');
  return made.customer;
}

const opened = (employeesSeeAll: boolean) =>
  manager.call(ContactPolicyService.method.updateContactPolicy, {
    businessId: WILLOW,
    policy: { employeesSeeAll },
  });

test.beforeAll(async () => {
  manager = await RestClient.as(people.manager);
  const unique = String(10_000_000 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 90_000_000));
  mias = await customer(`Polly Own ${unique}`, `07${unique}1`);
  noahs = await customer(`Quinn Other ${unique}`, `07${unique}2`);
  const { id: serviceId } = await serviceNamed(manager, SERVICE);
  for (const [of, name] of [
    [mias, MIA],
    [noahs, NOAH],
  ] as const) {
    const item = { serviceId, employeeId: await employeeNamed(manager, name) };
    booked.push(await bookedAt(manager, [item], startOf(await firstOffer(manager, [item], 18)), of.id));
  }
});

test.afterAll(async () => {
  await opened(false);
  for (const appointmentId of booked) await cancelled(manager, appointmentId).catch(() => undefined);
});

test.describe('an employee', () => {
  test('sees how to reach customers of their own visits, and why not others', async () => {
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/customers/${mias.id}`);
    await inside(page);
    await heading(page, mias.name).waitFor();
    await page.locator(`a[href="tel:${mias.phone}"]`).waitFor();

    await page.goto(`/${WILLOW}/customers/${noahs.id}`);
    await heading(page, noahs.name).waitFor();
    await page.getByText(HIDDEN).waitFor();
    expect(await page.locator('a[href^="tel:"]').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);

    await page.goto(`/${WILLOW}/appointments/${booked[1]}`);
    await heading(page, noahs.name).waitFor();
    await page.getByText(HIDDEN).waitFor();
    const client = await RestClient.as(people.employee);
    const { appointment } = await client.call(AppointmentService.method.getAppointment, {
      businessId: WILLOW,
      appointmentId: booked[1] ?? '',
    });
    expect([appointment?.customerPhone, appointment?.contactHidden]).toEqual(['', true]);
  });

  test('finds by digits only those customers, and others by name', async () => {
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/customers`);
    await inside(page);
    const search = page.getByLabel('Search customers');
    await page.getByText('find customers with a visit of yours within 30 days').waitFor();
    await search.fill(noahs.phone.slice(-6));
    await page.getByText('Digits and e-mail addresses find only customers').waitFor();
    await search.fill(mias.phone.slice(-6));
    await page.getByRole('link', { name: mias.name }).waitFor();
    await search.fill(noahs.name.split(' ')[0] ?? '');
    await page.getByRole('link', { name: noahs.name }).waitFor();
    await page.getByText('Number hidden').filter({ visible: true }).first().waitFor();
  });

  test('keeps the number of a customer whose name they change', async () => {
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/customers/${noahs.id}`);
    await heading(page, noahs.name).waitFor();
    await page.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = page.getByRole('dialog', { name: `Edit ${noahs.name}` });
    await expect(dialog.getByLabel('New phone')).toHaveValue('');
    await dialog.getByLabel('Name').fill(`${noahs.name} Reed`);
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await heading(page, `${noahs.name} Reed`).waitFor();
    const read = await manager.call(CustomerService.method.getCustomer, {
      businessId: WILLOW,
      customerId: noahs.id,
    });
    noahs = read.customer ?? noahs;
    expect(noahs.name).toContain('Reed');
    expect(noahs.phone).not.toBe('');
  });

  test('sees all once a manager lets them', async () => {
    const desk = await freshPage({ as: people.manager });
    await desk.goto(`/${WILLOW}/customers`);
    await inside(desk);
    const box = desk.getByRole('checkbox', {
      name: 'Employees see every customer’s phone number and e-mail',
    });
    await box.check();
    await desk.getByText('Employees now see every customer’s phone number and e-mail.').waitFor();

    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/customers/${noahs.id}`);
    await heading(page, noahs.name).waitFor();
    await page.locator(`a[href="tel:${noahs.phone}"]`).waitFor();
    await page.goto(`/${WILLOW}/customers`);
    await page.getByText('The last digits of a phone number are enough.').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);

    await box.uncheck();
    await desk
      .getByText('Employees now see phone numbers and e-mails of their own customers only.')
      .waitFor();
    await page.goto(`/${WILLOW}/customers/${noahs.id}`);
    await page.getByText(HIDDEN).waitFor();
  });
});
