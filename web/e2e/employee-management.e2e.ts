import { readFile } from 'node:fs/promises';
import { MemberService } from '../src/gen/frontdesk/auth/v1/member_pb';
import { CalendarKind, CalendarService } from '../src/gen/frontdesk/calendarsync/v1/calendar_pb';
import { EmployeeService } from '../src/gen/frontdesk/tenancy/v1/employee_pb';
import { freshPage, heading, inside } from './browser';
import { Radicale } from './radicale';
import { RestClient } from './rest';
import { people, SECOND, WILLOW } from './stack';
import { expect, test } from './test';

const mark = crypto.randomUUID().slice(0, 8);

async function calendarsOf(client: RestClient, employeeId: string | undefined) {
  const { calendars } = await client.call(CalendarService.method.listCalendars, {
    businessId: SECOND,
    pageSize: 200,
  });
  return calendars.filter((calendar) => calendar.employeeId === employeeId);
}

let server: Radicale;

test.beforeAll(async () => {
  server = await Radicale.start();
});

test.afterAll(async () => {
  await server.stop();
});

test.describe('employee management', () => {
  test('adds pasted employees with calendars and invitations after showing the bad lines', async () => {
    await server.put('course', 'Colour course', new Date('2026-06-03T09:00:00Z'), 60);
    const page = await freshPage({ as: people.admin });
    await page.goto('/admin/employee-management');
    await inside(page);
    await page.getByRole('main').getByRole('link').filter({ hasText: 'Harbour' }).click();
    await page.waitForURL((url) => url.searchParams.get('business') === SECOND);
    const lines = [
      'name\temail\trole\tcalendar',
      `Ada ${mark}\tada-${mark}@example.com\tEMPLOYEE\t${server.published}`,
      `Bo ${mark}\tbo-${mark}\t\t${server.published}`,
      `Cy ${mark}\t\tboss\t`,
      `Di ${mark}\t\t\tdemo`,
      `Ed ${mark}\t\t\tEd at work`,
    ].join('\n');
    await page.getByLabel('Or paste lines').fill(lines);
    await page.getByRole('button', { name: 'Check the lines' }).click();
    await page.getByText('2 employees can be imported, 3 of 5 lines can’t.').waitFor();
    await page.getByRole('row', { name: /^3 E-mail is not an e-mail address/ }).waitFor();
    await page.getByRole('row', { name: /^4 Role must be EMPLOYEE, MANAGER or OWNER/ }).waitFor();
    await page.getByRole('row', { name: /^6 Calendar must be the address/ }).waitFor();
    await page.getByRole('button', { name: 'Import 2 employees' }).click();
    await page.getByText('Imported 2 employees.').waitFor();
    // What was left out is taken away as it was sent, the address of a calendar among it.
    const taken = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download: Lines that can’t be imported' }).click();
    const leftOut = await readFile(await (await taken).path(), 'utf8');
    expect(leftOut).toContain(`"Bo ${mark}","bo-${mark}","","${server.published}"`);
    // Who began, started and ended it is told where changes are.
    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    await heading(page, 'Changes of pasted lines').waitFor();
    for (const deed of ['Created', 'Checked', 'Started'])
      await page.getByText(`${deed} import: pasted lines`).waitFor();
    await page.getByText('Import ended: pasted lines').waitFor();
    await page.goBack();
    await page.getByText('Imported 2 employees.').waitFor();

    const client = await RestClient.as(people.admin);
    const { employees } = await client.call(EmployeeService.method.listEmployees, {
      businessId: SECOND,
      pageSize: 200,
    });
    const added = employees.filter(({ name }) => name.endsWith(mark));
    expect(added.map(({ name }) => name)).toEqual([`Ada ${mark}`, `Di ${mark}`]);
    const [adas, dis] = await Promise.all(added.map(({ id }) => calendarsOf(client, id)));
    expect(adas?.map(({ kind, shownAddress }) => [kind, shownAddress])).toEqual([
      [CalendarKind.ICS, '127.0.0.1/…'],
    ]);
    expect(dis?.map(({ kind }) => kind)).toEqual([CalendarKind.DEMO]);
    // No calendar is left whose server ends with this file.
    for (const { id } of [...(adas ?? []), ...(dis ?? [])])
      await client.call(CalendarService.method.disconnectCalendar, { businessId: SECOND, calendarId: id });
    await page.getByRole('link', { name: 'See the team' }).click();
    await page.getByText(`Ada ${mark}`).first().waitFor();
    await page.goto(`/${SECOND}/members`);
    await page.getByText(`ada-${mark}@example.com`).first().waitFor();
  });

  test('says with whose account the employee of a member’s address will be linked', async () => {
    const client = await RestClient.as(people.admin);
    const salon = { businessId: WILLOW, pageSize: 200 };
    const { members } = await client.call(MemberService.method.listMembers, salon);
    // The owner is a member of the demo’s salon and none of its employees.
    const member = members.find(({ email }) => email === people.owner);
    expect(member).toBeDefined();
    const page = await freshPage({ as: people.admin });
    await page.goto(`/admin/employee-management?business=${WILLOW}`);
    await inside(page);
    await page.getByLabel('Or paste lines').fill(`name\temail\nGil ${mark}\t${member?.email}`);
    await page.getByRole('button', { name: 'Check the lines' }).click();
    await page.getByText('1 employee can be imported.').waitFor();
    const line = page.getByRole('row').filter({ hasText: `Gil ${mark}` });
    await line.getByText(`Will be linked to ${member?.name}’s account`).waitFor();
    // The salon’s team stays as it is.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Nothing was imported.').waitFor();
  });

  test('assigns a calendar to an employee who is there already', async () => {
    const client = await RestClient.as(people.admin);
    const name = `Flo ${mark}`;
    const { employee } = await client.call(EmployeeService.method.createEmployee, {
      businessId: SECOND,
      name,
    });
    const page = await freshPage({ as: people.admin });
    await page.goto(`/admin/employee-management?business=${SECOND}`);
    await inside(page);
    await page.getByRole('button', { name: 'Connect a CalDAV calendar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect a CalDAV calendar' });
    await dialog.getByLabel('Server').fill(server.url);
    await dialog.getByLabel('User name').fill(Radicale.username);
    await dialog.getByLabel('Password', { exact: true }).fill(Radicale.password);
    await dialog.getByRole('button', { name: 'Find calendars' }).click();
    await dialog.getByLabel('Employee').selectOption({ label: name });
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: name }).first().waitFor();
    const [connected, ...others] = await calendarsOf(client, employee?.id);
    expect([connected?.kind, others.length]).toEqual([CalendarKind.CALDAV, 0]);
    await client.call(CalendarService.method.disconnectCalendar, {
      businessId: SECOND,
      calendarId: connected?.id ?? '',
    });
  });

  test('is an administrator’s', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/admin/employee-management');
    await heading(page, 'Access Restricted').waitFor();
  });
});
