import { EmployeeService } from '../src/gen/frontdesk/tenancy/v1/employee_pb';
import { freshPage, heading, inside } from './browser';
import { RestClient } from './rest';
import { people, SECOND } from './stack';
import { expect, test } from './test';

const mark = crypto.randomUUID().slice(0, 8);

test.describe('employee management', () => {
  test('adds pasted employees with calendars and invitations after showing the bad lines', async () => {
    const page = await freshPage({ as: people.admin });
    await page.goto('/admin/employee-management');
    await inside(page);
    await page.getByRole('main').getByRole('link').filter({ hasText: 'Harbour' }).click();
    await page.waitForURL((url) => url.searchParams.get('business') === SECOND);
    const lines = [
      'name\temail\trole\tcalendar',
      `Ada ${mark}\tada-${mark}@example.com\tEMPLOYEE\tAda at work`,
      `Bo ${mark}\tbo-${mark}\t\t`,
      `Cy ${mark}\t\tboss\t`,
      `Di ${mark}\t\t\t`,
    ].join('\n');
    await page.getByLabel('Or paste lines').fill(lines);
    await page.getByRole('button', { name: 'Check the lines' }).click();
    await page.getByText('2 employees can be imported, 2 of 4 lines can’t.').waitFor();
    await page.getByRole('row', { name: /^3 email is not an e-mail address/ }).waitFor();
    await page.getByRole('row', { name: /^4 role must be EMPLOYEE, MANAGER or OWNER/ }).waitFor();
    await page.getByRole('button', { name: 'Import 2 employees' }).click();
    await page.getByText('Imported 2 employees.').waitFor();

    const client = await RestClient.as(people.admin);
    const { employees } = await client.call(EmployeeService.method.listEmployees, {
      businessId: SECOND,
      pageSize: 200,
    });
    const added = employees.map(({ name }) => name).filter((name) => name.endsWith(mark));
    expect(added).toEqual([`Ada ${mark}`, `Di ${mark}`]);
    await page.getByRole('link', { name: 'See the team' }).click();
    await page.getByText(`Ada ${mark}`).first().waitFor();
    await page.goto(`/${SECOND}/members`);
    await page.getByText(`ada-${mark}@example.com`).first().waitFor();
  });

  test('is an administrator’s', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/admin/employee-management');
    await heading(page, 'Access Restricted').waitFor();
  });
});
