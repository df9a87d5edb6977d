import type { Locator, Page } from '@playwright/test';
import { ScheduleService, type WeeklySchedule } from '../src/gen/frontdesk/scheduling/v1/schedule_pb';
import { TimeOffService, TimeOffState } from '../src/gen/frontdesk/scheduling/v1/time_off_pb';
import { CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { shortDateText } from '../src/time/day-text';
import { dayAfter } from '../src/time/local';
import { weekdayOf } from '../src/time/local-day';
import { freshPage, heading, inside } from './browser';
import { followed } from './live';
import { toast } from './quiet-day';
import { RestClient } from './rest';
import { bookedAt, cancelled, dayOf, employeeNamed, firstOffer, serviceNamed, startOf } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { useUndo } from './undo';
import { until } from './until';

/** Beyond the fortnight that the demo fills, a few weeks from where other journeys book. */
const QUIET_DAYS = 49;
const WEDNESDAY = 3;

let client: RestClient;
let mia = '';
let marcus = '';
const undo = useUndo();

test.beforeAll(async () => {
  client = await RestClient.as(people.manager);
  mia = await employeeNamed(client, 'Mia Larsen');
  marcus = await employeeNamed(client, 'Marcus Bell');
});
type Booked = { appointmentId: string; day: string; customer: string };

/** A visit of a named customer with this employee, on a quiet day. */
async function bookedWith(employeeId: string, daysAhead: number): Promise<Booked> {
  const service = await serviceNamed(client, "Women's cut & finish");
  const { customers } = await client.call(CustomerService.method.listCustomers, { businessId: WILLOW });
  const customer = customers.find(({ name }) => name !== '');
  const wanted = [{ serviceId: service.id, employeeId }];
  const start = startOf(await firstOffer(client, wanted, daysAhead));
  const appointmentId = await bookedAt(client, wanted, start, customer?.id ?? '');
  undo.push(() => cancelled(client, appointmentId));
  return { appointmentId, day: dayOf(start), customer: customer?.name ?? '' };
}

async function weeksOf(employeeId: string): Promise<WeeklySchedule[]> {
  const { schedules } = await client.call(ScheduleService.method.listWeeklySchedules, {
    businessId: WILLOW,
    employeeId,
  });
  return schedules;
}

async function weekFrom(employeeId: string, date: string): Promise<WeeklySchedule | undefined> {
  return (await weeksOf(employeeId)).find(({ effectiveFrom }) => effectiveFrom === date);
}

const withoutWeek = (employeeId: string, effectiveFrom: string) => () =>
  client.call(ScheduleService.method.removeWeeklySchedule, { businessId: WILLOW, employeeId, effectiveFrom });

async function opened(email: string, path: string, width = 1280): Promise<Page> {
  const page = await freshPage({ as: email, width });
  await page.goto(path);
  await inside(page);
  return page;
}

const linkTo = (place: Page | Locator, appointmentId: string) =>
  place.locator(`a[href$="/appointments/${appointmentId}"]`);

test.describe('time off', () => {
  test('is requested and approved with its visits on screen', async () => {
    const { appointmentId, day, customer } = await bookedWith(mia, QUIET_DAYS);
    const reason = `Wedding ${Date.now() % 1_000_000}`;

    const hers = await opened(people.employee, `/${WILLOW}/team`);
    await hers.getByRole('button', { name: 'Ask for time off' }).click();
    const asking = hers.getByRole('dialog', { name: 'Ask for time off' });
    await asking.getByLabel('First day').fill(day);
    const then = asking.getByRole('list', { name: 'Booked then' });
    await linkTo(then, appointmentId).waitFor();
    await then.getByRole('link', { name: customer, exact: true }).waitFor();
    await asking.getByLabel('Reason (optional)').fill(reason);
    await asking.getByRole('button', { name: 'Ask', exact: true }).click();
    await asking.waitFor({ state: 'detached' });
    const own = hers.getByRole('main').getByRole('listitem').filter({ hasText: reason });
    await own.getByText('To decide').waitFor();
    expect(await own.getByRole('button', { name: /^Approve/ }).count()).toBe(0);

    const page = await opened(people.manager, `/${WILLOW}/team`);
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: reason });
    const standing = row.getByRole('list', { name: 'Booked while Mia Larsen is away' });
    await linkTo(standing, appointmentId).filter({ hasText: customer }).waitFor();
    await row.getByRole('button', { name: /^Approve/ }).click();
    const deciding = page.getByRole('dialog', { name: 'Approve time off' });
    await linkTo(deciding, appointmentId).waitFor();
    await deciding.getByLabel('Note (optional)').fill('Have fun');
    await deciding.getByRole('button', { name: 'Approve' }).click();
    await deciding.waitFor({ state: 'detached' });
    await row.getByText('Approved', { exact: true }).waitFor();
    await linkTo(row, appointmentId).waitFor();

    const { timeOff } = await client.call(TimeOffService.method.listTimeOff, {
      businessId: WILLOW,
      employeeId: mia,
      state: TimeOffState.APPROVED,
      pageSize: 200,
    });
    const approved = timeOff.find((one) => one.reason === reason);
    expect(approved?.decision?.note).toBe('Have fun');
    undo.push(() =>
      client.call(TimeOffService.method.withdrawTimeOff, {
        businessId: WILLOW,
        timeOffId: approved?.id ?? '',
      }),
    );

    // Taken back by mistake, it is approved again.
    await row.getByRole('button', { name: /^Take back/ }).click();
    const taking = page.getByRole('dialog', { name: 'Take time off back' });
    await taking.getByRole('button', { name: 'Take back' }).click();
    await taking.waitFor({ state: 'detached' });
    await toast(page)
      .getByText(/^The time off of Mia Larsen, .+, is taken back\.$/)
      .waitFor();
    await page.keyboard.press('Control+z');
    await toast(page).getByText('The time off of Mia Larsen counts as before.').waitFor();
    await row.getByText('Approved', { exact: true }).waitFor();
  });
});

test.describe('the hours of an employee', () => {
  test('show the stranded visits before a week is saved, and after', async () => {
    const { appointmentId, day, customer } = await bookedWith(mia, QUIET_DAYS + 7);
    const page = await opened(people.manager, `/${WILLOW}/team/${mia}`);
    await page.getByRole('button', { name: 'New week' }).click();
    const dialog = page.getByRole('dialog', { name: 'Week of Mia Larsen' });
    await dialog.getByLabel('Applies from').fill(day);
    const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' }).format(new Date(`${day}T12:00Z`));
    await dialog.getByRole('checkbox', { name: weekday }).uncheck();
    undo.push(withoutWeek(mia, day));
    await dialog.getByRole('button', { name: 'Save week' }).click();
    const stranded = dialog.getByRole('list', { name: 'Visits outside these hours' });
    await linkTo(stranded, appointmentId).filter({ hasText: customer }).waitFor();
    expect(await weekFrom(mia, day)).toBeUndefined();

    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await dialog.waitFor({ state: 'detached' });
    await linkTo(page.getByRole('list', { name: 'Visits to be moved' }), appointmentId).waitFor();
    const saved = await weekFrom(mia, day);
    expect(saved?.spans.map((span) => span.weekday)).not.toContain(weekdayOf(day));

    // It is still listed after a reload, until it is settled.
    await page.reload();
    const toBeMoved = page.getByRole('list', { name: 'Visits to be moved' });
    await linkTo(toBeMoved, appointmentId).filter({ hasText: customer }).waitFor();

    // The team's week shows it as well.
    await page.goto(`/${WILLOW}/team?date=${day}`);
    await page
      .getByRole('button', { name: /^Mia Larsen, .*1 visit outside/ })
      .first()
      .waitFor();

    const live = followed(page);
    await page.goto(`/${WILLOW}/team/${mia}`);
    await linkTo(toBeMoved, appointmentId).waitFor();
    await live;
    await cancelled(client, appointmentId);
    await linkTo(toBeMoved, appointmentId).waitFor({ state: 'detached' });
  });

  test('are changed with the keyboard alone', async () => {
    const date = mondayAfter(QUIET_DAYS + 21);
    const page = await opened(people.manager, `/${WILLOW}/team/${marcus}`);
    await page.getByRole('button', { name: 'New week' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Week of Marcus Bell' });
    await dialog.waitFor();
    undo.push(withoutWeek(marcus, date));
    // In which order a date field takes its digits is the browser's language.
    await dialog.getByLabel('Applies from').fill(date);
    await tabTo(page, dialog.getByLabel('Monday from', { exact: true }));
    await page.keyboard.type('0800');
    await tabTo(page, dialog.getByRole('button', { name: 'Add a break, Monday' }));
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Monday from (2)').waitFor();
    await tabTo(page, dialog.getByRole('button', { name: 'Copy Monday' }));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'To all days at work' }).waitFor();
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByRole('checkbox', { name: 'Friday' }));
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });

    const saved = await weekFrom(marcus, date);
    const hours = [
      { fromMinute: 480, toMinute: 675 },
      { fromMinute: 705, toMinute: 900 },
    ];
    expect(
      saved?.spans.map(({ weekday, fromMinute, toMinute }) => [weekday, { fromMinute, toMinute }]),
    ).toEqual([1, WEDNESDAY].flatMap((weekday) => hours.map((span) => [weekday, span])));
  });

  test('are removed, restored, and removed for good', async () => {
    const date = mondayAfter(QUIET_DAYS + 28);
    await client.call(ScheduleService.method.setWeeklySchedule, {
      businessId: WILLOW,
      employeeId: marcus,
      effectiveFrom: date,
      spans: [{ weekday: 1, fromMinute: 600, toMinute: 900 }],
    });
    undo.push(withoutWeek(marcus, date));
    const page = await opened(people.manager, `/${WILLOW}/team/${marcus}`);
    const remove = page.getByRole('button', { name: `Remove the week from ${shortDateText(date)}` });
    await remove.click();
    // It is offered once the week is gone, and for a moment only.
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => expect((await weekFrom(marcus, date))?.spans).toHaveLength(1));
    await remove.click();
    await until(async () => expect(await weekFrom(marcus, date)).toBeUndefined());
  });

  test('of one day are taken back with Ctrl+Z, on another page as well', async () => {
    const day = dayAfter(mondayAfter(QUIET_DAYS + 14), 3);
    const page = await opened(people.manager, `/${WILLOW}/team?date=${day}`, 390);
    const row = page
      .getByRole('list', { name: /^The team,/ })
      .getByRole('listitem')
      .filter({ hasText: 'Marcus Bell' });
    const changed = async () => {
      const { days } = await client.call(ScheduleService.method.listDayHours, {
        businessId: WILLOW,
        employeeId: marcus,
        fromDate: day,
      });
      return days.some(({ date }) => date === day);
    };
    await row.getByRole('button', { name: /^Hours of Marcus Bell/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Hours of Marcus Bell' });
    await dialog.getByText('Not at work', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Hours of Marcus Bell on .+ are saved\.$/).waitFor();
    expect(await changed()).toBe(true);
    await page.keyboard.press('Control+z');
    await page.getByText(/^Hours of Marcus Bell on .+ are as they were\.$/).waitFor();
    await until(async () => expect(await changed()).toBe(false));

    await row.getByRole('button', { name: /^Hours of Marcus Bell/ }).click();
    await dialog.getByText('Not at work', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await until(async () => expect(await changed()).toBe(true));
    await row.getByRole('button', { name: /^Hours of Marcus Bell/ }).click();
    await dialog.getByRole('button', { name: 'Back to the week' }).click();
    await until(async () => expect(await changed()).toBe(false));
    await page.getByRole('link', { name: 'Marcus Bell' }).first().click();
    await page.waitForURL(`**/team/${marcus}`);
    await page.keyboard.press('Control+z');
    await page.getByText(/^Hours of Marcus Bell on .+ are as they were\.$/).waitFor();
    expect(await changed()).toBe(true);
    await page
      .getByRole('list', { name: 'Days with other hours' })
      .getByRole('button', { name: /^Remove the hours of/ })
      .first()
      .click();
    await until(async () => expect(await changed()).toBe(false));
  });

  test('are changed for one day on a phone, from the list of the team', async () => {
    const day = dayAfter(mondayAfter(QUIET_DAYS + 14), 2);
    const page = await opened(people.manager, `/${WILLOW}/team?date=${day}`, 390);
    const row = page
      .getByRole('list', { name: /^The team,/ })
      .getByRole('listitem')
      .filter({ hasText: 'Marcus Bell' });
    await row.getByText('9:00 – 15:00').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const date = await page.getByLabel('Date', { exact: true }).boundingBox();
    expect((date?.x ?? 0) + (date?.width ?? 390)).toBeLessThanOrEqual(390);
    await row.getByRole('button', { name: /^Hours of Marcus Bell/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Hours of Marcus Bell' });
    await dialog.getByText('Not at work', { exact: true }).click();
    undo.push(() =>
      client.call(ScheduleService.method.removeDayHours, {
        businessId: WILLOW,
        employeeId: marcus,
        date: day,
      }),
    );
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('Not at work').first().waitFor();

    await page.goto(`/${WILLOW}/team/${marcus}`);
    const days = page.getByRole('list', { name: 'Days with other hours' });
    await days.getByText('instead of 9:00 – 15:00').first().waitFor();
    await days
      .getByRole('button', { name: /^Remove the hours of/ })
      .first()
      .click();
    await until(async () => {
      const { days: left } = await client.call(ScheduleService.method.listDayHours, {
        businessId: WILLOW,
        employeeId: marcus,
        fromDate: day,
      });
      expect(left.map(({ date }) => date)).not.toContain(day);
    });
  });
});

test.describe('the team', () => {
  test('is read-only for employees, on a colleague’s page too', async () => {
    const page = await opened(people.employee, `/${WILLOW}/team?date=${mondayAfter(QUIET_DAYS + 14)}`);
    const table = page.getByRole('table', { name: /^The team,/ });
    await table
      .getByRole('row', { name: /Sofia Marino/ })
      .getByText('9:00 – 18:00')
      .first()
      .waitFor();
    expect(await table.getByRole('button').count()).toBe(0);
    await table
      .getByRole('list', { name: /^Coverage, Tuesday/ })
      .getByText(/^Tuesday 10:00: \d at work, \d booked$/)
      .waitFor();
    await table.getByRole('link', { name: 'Sofia Marino' }).click();
    await heading(page, 'Sofia Marino').waitFor();
    await page.getByRole('list', { name: 'Weeks' }).waitFor();
    expect(
      await page.getByRole('button', { name: /New week|Other hours|(Add|Ask for) time off/ }).count(),
    ).toBe(0);
  });

  test('is gone through day by day with arrows, and week by week with keys', async () => {
    const monday = mondayAfter(QUIET_DAYS + 14);
    const page = await opened(people.manager, `/${WILLOW}/team?date=${monday}`);
    const first = page.getByRole('button', { name: /^Marcus Bell, / }).first();
    await first.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Mia Larsen, Tuesday/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Hours of Mia Larsen' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.waitForURL(`**/team?date=${dayAfter(monday, 7)}`);
  });

  test('is the same for administrators, for the business they choose', async () => {
    const page = await opened(people.admin, '/admin');
    await page.getByRole('main').getByRole('link', { name: 'Staff schedules' }).click();
    await page.goto(`/admin/schedule?business=${WILLOW}&date=${mondayAfter(QUIET_DAYS + 14)}`);
    await page
      .getByRole('table', { name: /^The team,/ })
      .getByRole('link', { name: 'Mia Larsen' })
      .click();
    await page.waitForURL(`**/admin/schedule/employee/${mia}?business=${WILLOW}`);
    await heading(page, 'Mia Larsen').waitFor();
    await page.getByRole('button', { name: 'New week' }).waitFor();
    await page.getByRole('link', { name: 'The whole team' }).click();
    await page.waitForURL(`**/admin/schedule?business=${WILLOW}`);
  });
});

function mondayAfter(daysAhead: number): string {
  const day = dayAfter(new Date().toISOString().slice(0, 10), daysAhead);
  return dayAfter(day, 8 - weekdayOf(day));
}

/** Presses Tab until the target has the focus, as a keyboard user does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never came there.');
}
