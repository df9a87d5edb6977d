import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { ProposalService } from '../src/gen/frontdesk/scheduling/v1/proposal_pb';
import { TimeOffKind, TimeOffService } from '../src/gen/frontdesk/scheduling/v1/time_off_pb';
import { WaitlistService } from '../src/gen/frontdesk/scheduling/v1/waitlist_pb';
import { inside } from './browser';
import { MIA, NOAH, SERVICE, useOwnDay } from './own-day';
import { cardOf, column, customerNamed, placeOf, toast } from './quiet-day';
import { cancelled } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const FRIDAY = 5;
const day = useOwnDay(FRIDAY, 60);

test.describe('beside the day', () => {
  test('are the customers who wait for it, and one press books them', async () => {
    const name = `Wes Waits ${Date.now() % 1_000_000}`;
    const { entry } = await day.client.call(WaitlistService.method.joinWaitlist, {
      businessId: WILLOW,
      customerId: await customerNamed(day.client, name),
      items: [{ serviceId: day.serviceId }],
      firstDate: day.date,
      lastDate: day.date,
      fromMinute: 17 * 60,
      toMinute: 18 * 60,
    });
    expect(entry).toBeDefined();
    const page = await day.page();
    await page.keyboard.press('w');
    const panel = page.getByRole('complementary', { name: 'Waitlist' });
    await panel.getByRole('button', { name: new RegExp(`^Book ${name}, 17:\\d\\d with `) }).click();
    await toast(page)
      .getByText(new RegExp(`^${name} is booked: `))
      .waitFor();
    await cardOf(page, name).waitFor();
    await panel.getByText(name).waitFor({ state: 'detached' });
    await page.keyboard.press('w');
    await panel.waitFor({ state: 'detached' });
  });

  test('keeps the length of the waitlist entry', async () => {
    const name = `Lil Long ${Date.now() % 1_000_000}`;
    await day.client.call(WaitlistService.method.joinWaitlist, {
      businessId: WILLOW,
      customerId: await customerNamed(day.client, name),
      items: [{ serviceId: day.serviceId, extraMinutes: 35 }],
      firstDate: day.date,
      lastDate: day.date,
      fromMinute: 18 * 60,
      toMinute: 20 * 60,
    });
    const page = await day.page();
    await page.keyboard.press('w');
    const panel = page.getByRole('complementary', { name: 'Waitlist' });
    const waiting = panel.getByRole('listitem').filter({ hasText: name });
    await waiting.getByText(/ \(35 min longer\)$/).waitFor();
    await waiting.getByRole('button', { name: new RegExp(`^Book ${name}, 1[89]:\\d\\d with `) }).click();
    await toast(page)
      .getByText(new RegExp(`^${name} is booked: `))
      .waitFor();
    const { appointments } = await day.client.call(AppointmentService.method.listAppointments, {
      businessId: WILLOW,
      from: timestampFromDate(day.at('18:00')),
      to: timestampFromDate(day.at('21:00')),
    });
    const visit = appointments.find(({ customerName }) => customerName === name);
    day.undo.push(() => cancelled(day.client, visit?.id ?? ''));
    await cardOf(page, name).click();
    const drawer = page.getByRole('dialog', { name });
    await drawer.getByText(/ \(35 min longer than usual\)$/).waitFor();
    expect(visit?.items.map(({ extraMinutes }) => extraMinutes)).toEqual([35]);
  });

  test('stand its conflicts, or that there are none; a phone has them in front', async () => {
    const page = await day.page({ width: 390 });
    await page.getByRole('button', { name: 'More for this day' }).click();
    await page.getByRole('menuitem', { name: 'Conflicts' }).click();
    const sheet = page.getByRole('dialog', { name: 'Conflicts' });
    await sheet.getByText('No conflicts on this day').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  test('lists a visit whose employee is away, also after leaving the page, until it is moved', async () => {
    const id = await day.book('Nell North', day.noah, '21:00');
    const { requestTimeOff, approveTimeOff, withdrawTimeOff } = TimeOffService.method;
    const { timeOff } = await day.client.call(requestTimeOff, {
      businessId: WILLOW,
      employeeId: day.noah,
      kind: TimeOffKind.SICK,
      startsAt: timestampFromDate(day.at('20:45')),
      endsAt: timestampFromDate(day.at('21:45')),
    });
    const theirs = { businessId: WILLOW, timeOffId: timeOff?.id ?? '' };
    await day.client.call(approveTimeOff, theirs);
    day.undo.push(() => day.client.call(withdrawTimeOff, theirs));

    const page = await day.page();
    await page.getByRole('button', { name: /^To be moved\s*1 on this day/ }).click();
    const panel = page.getByRole('complementary', { name: 'To be moved' });
    const row = panel.getByRole('button', { name: /Nell North/ });
    await row.getByText('Sick').waitFor();
    await page.goto(`/${WILLOW}`);
    await inside(page);
    await page.goBack();
    await inside(page);
    await row.waitFor();
    await page.reload();
    await inside(page);
    await row.click();
    const drawer = page.getByRole('dialog', { name: 'Nell North' });
    await drawer.getByRole('button', { name: 'Exact time…' }).click();
    await drawer.getByLabel(`${SERVICE} with`).selectOption({ label: MIA });
    await drawer.getByRole('button', { name: 'Move', exact: true }).click();
    await drawer.waitFor({ state: 'hidden' });
    await panel.getByText('Nothing to be moved').waitFor();
    expect((await placeOf(day.client, id)).employee).toBe(MIA);
  });

  test('lists a visit whose employee is at a training, from the day’s own dialog, and an undo takes it back', async () => {
    await day.book('Tara Trained', day.noah, '20:00');
    const page = await day.page();
    await page.getByRole('button', { name: `${NOAH}: absence or closure` }).click();
    const asking = page.getByRole('dialog', { name: 'Absence or closure' });
    expect(await asking.getByLabel('Employee').locator('option:checked').textContent()).toBe(NOAH);
    // The input is invisible below its label.
    await asking.getByRole('radio', { name: 'Time off' }).check({ force: true });
    await asking.getByLabel('What for').selectOption({ label: 'Training' });
    expect(await asking.getByLabel('First day').inputValue()).toBe(day.date);
    expect(await asking.getByLabel('Last day').inputValue()).toBe(day.date);
    await asking.getByRole('button', { name: 'Save' }).click();
    const strands = page.getByRole('dialog', { name: new RegExp(`^Time off for ${NOAH}, .+\\?$`) });
    await strands.getByText(/Tara Trained/).waitFor();
    // Nothing counts before it is confirmed.
    await strands.getByRole('button', { name: 'Cancel' }).click();
    await asking.getByRole('button', { name: 'Save' }).click();
    await strands.getByRole('button', { name: 'Save' }).click();
    await toast(page)
      .getByText(new RegExp(`^${NOAH} has time off, .+ to settle in the inbox\\.$`))
      .waitFor();
    await column(page, NOAH).getByText('Training', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: /^To be moved\s*\d+ on this day/ }).click();
    const panel = page.getByRole('complementary', { name: 'To be moved' });
    await panel
      .getByRole('button', { name: /Tara Trained/ })
      .getByText('Training')
      .waitFor();
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await panel.getByRole('button', { name: /Tara Trained/ }).waitFor({ state: 'detached' });
    await expect(column(page, NOAH).getByText('Training', { exact: true })).toHaveCount(0);
  });

  test('everything is reachable on a phone, by a row and a menu', async () => {
    const page = await day.page({ as: people.manager, width: 390 });
    const more = page.getByRole('button', { name: 'More for this day' });
    const row = [
      page.getByRole('button', { name: 'Today' }),
      page.getByRole('button', { name: 'Previous day' }),
      page.getByRole('button', { name: 'Next day' }),
      page.getByLabel('Date', { exact: true }),
      more,
    ];
    const boxes = await Promise.all(row.map((control) => control.boundingBox()));
    const middles = boxes.map((box) => (box ? Math.round(box.y + box.height / 2) : 0));
    expect(new Set(middles).size).toBe(1);
    for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

    await more.click();
    const menu = page.getByRole('menu', { name: /^More for this day/ });
    await menu.waitFor();
    for (const name of ['Find a visit…', 'Why not?…', 'Block time…', 'Waitlist', 'Optimise day'])
      expect(await menu.getByRole('menuitem', { name }).count()).toBe(1);
    await menu.getByRole('menuitemradio', { name: 'Everyone, one day', checked: true }).waitFor();
    await menu.getByRole('menuitemradio', { name: `${MIA}, the week` }).click();
    await until(() => expect(new URL(page.url()).searchParams.get('employee')).toBe(day.mia));
    await page.getByRole('button', { name: 'Next week' }).waitFor();
  });

  test('is a better day, line by line', async () => {
    // Ten minutes before and after a visit that nothing fits into: ten minutes earlier, the rest is long enough.
    const [first, second] = [
      await day.book('Una Uneven', day.noah, '18:00'),
      await day.book('Vic Uneven', day.noah, '18:40', '+447700900441'),
    ];
    await day.book('Wes Uneven', day.noah, '19:20');
    const page = await day.page({ as: people.manager }, '&panel=optimise');
    const panel = page.getByRole('complementary', { name: 'Optimise day' });
    await panel.getByRole('button', { name: 'Look for a better day' }).click();
    await panel.getByText(/^Gains \d.* of work, about £\d+.* at list prices\.$/).waitFor();
    await panel.getByText(/^\d+ customers? to call about another time/).waitFor();
    await panel.locator('a[href="tel:+447700900441"]').waitFor();
    await panel.getByText('How it was weighed').click();
    await panel.getByRole('table', { name: 'What the day costs' }).waitFor();
    // The day itself shows before and after.
    const noah = page.getByRole('group', { name: NOAH, exact: true });
    await noah.locator('.proposed.now').first().waitFor();
    await noah
      .locator('.proposed.then')
      .getByText(/Uneven/)
      .first()
      .waitFor();
    const line = panel.getByRole('listitem').filter({ hasText: /Uneven/ });
    await line
      .first()
      .getByRole('button', { name: /^Apply for/ })
      .click();
    // Where it was the only line, the proposal is done with.
    await toast(page)
      .getByText(/ is booked for .+\.$/)
      .waitFor();
    const startOf = async (appointmentId: string) => {
      const { appointment } = await day.client.call(AppointmentService.method.getAppointment, {
        businessId: WILLOW,
        appointmentId,
      });
      return Number(appointment?.startsAt?.seconds) * 1000;
    };
    const before = [day.at('18:00').getTime(), day.at('18:40').getTime()];
    expect([await startOf(first), await startOf(second)]).not.toEqual(before);
    await page.keyboard.press('Control+z');
    await toast(page)
      .getByText(/ as (it was|they were) before\.$/)
      .waitFor();
    expect([await startOf(first), await startOf(second)]).toEqual(before);
    await line
      .first()
      .getByRole('button', { name: /^Apply for/ })
      .waitFor();
    const open = async () => {
      const { proposals } = await day.client.call(ProposalService.method.listProposals, {
        businessId: WILLOW,
        fromDate: day.date,
      });
      return proposals.filter(({ date }) => date === day.date);
    };
    if ((await open()).length > 0) await panel.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await until(async () => expect(await open()).toHaveLength(0));
  });
});
