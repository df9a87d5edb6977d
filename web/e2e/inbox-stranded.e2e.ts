import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Page } from '@playwright/test';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { DayService } from '../src/gen/frontdesk/scheduling/v1/day_pb';
import { AbsenceKind, ProposalService } from '../src/gen/frontdesk/scheduling/v1/proposal_pb';
import { TimeOffKind, TimeOffService } from '../src/gen/frontdesk/scheduling/v1/time_off_pb';
import { WaitlistService } from '../src/gen/frontdesk/scheduling/v1/waitlist_pb';
import { barriers } from './barriers';
import { freshPage, heading, inside } from './browser';
import { NOAH, useOwnDay } from './own-day';
import { toast } from './quiet-day';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const SUNDAY = 7;
/** Within the fortnight for which an absence can be reported; the demo salon is closed then. */
const day = useOwnDay(SUNDAY, 2);

const inboxRow = (page: Page, customer: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('group', { name: `Settle the visit of ${customer}` }) });

async function inbox(): Promise<Page> {
  const page = await freshPage({ as: people.manager });
  await page.goto(`/${WILLOW}/inbox`);
  await inside(page);
  await heading(page, 'Inbox').waitFor();
  return page;
}

const openIds = async () => {
  const { stranded } = await day.client.call(DayService.method.listStrandedAppointments, {
    businessId: WILLOW,
    employeeId: day.noah,
  });
  return stranded.map(({ appointmentId }) => appointmentId);
};

/** Noah is back: what he missed is his again. */
async function backAtWork(): Promise<void> {
  const { listTimeOff, withdrawTimeOff } = TimeOffService.method;
  const { timeOff } = await day.client.call(listTimeOff, {
    businessId: WILLOW,
    employeeId: day.noah,
    from: timestampFromDate(day.at('00:00')),
    pageSize: 200,
  });
  for (const { id, state } of timeOff)
    if (state <= 2) await day.client.call(withdrawTimeOff, { businessId: WILLOW, timeOffId: id });
  const { listProposals, dismissProposal } = ProposalService.method;
  const { proposals } = await day.client.call(listProposals, { businessId: WILLOW, pageSize: 50 });
  for (const { id } of proposals)
    await day.client.call(dismissProposal, { businessId: WILLOW, proposalId: id });
}

test.describe('customers without an employee', () => {
  test.afterEach(backAtWork);

  test('after time off over nine visits, which is asked about before it is approved', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 9; index += 1) {
      ids.push(await day.book(`Nina ${index + 1}`, day.noah, `${7 + index}:30`));
    }
    const { timeOff } = await day.client.call(TimeOffService.method.requestTimeOff, {
      businessId: WILLOW,
      employeeId: day.noah,
      kind: TimeOffKind.HOLIDAY,
      reason: `Wedding ${Date.now() % 1_000_000}`,
      firstDate: day.date,
      lastDate: day.date,
    });
    const page = await inbox();
    const request = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: timeOff?.reason ?? '' });
    const booked = request.getByRole('list', { name: `Booked in the time off of ${NOAH}` });
    await request.getByText('9 visits booked then').waitFor();
    expect(await booked.getByRole('link').allTextContents()).toEqual([
      'Nina 1',
      'Nina 2',
      'Nina 3',
      'Nina 4',
    ]);
    await booked.getByText(/^.+, 7:30 · Men's cut$/).waitFor();
    await request.getByRole('button', { name: 'Show all 9' }).click();
    expect(await booked.getByRole('listitem').count()).toBe(9);
    await booked.getByRole('link', { name: 'Nina 9' }).click();
    await page.getByRole('dialog', { name: 'Nina 9' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Nina 9' }).waitFor({ state: 'hidden' });
    await request.getByRole('button', { name: /^Approve/ }).click();
    const asking = page.getByRole('dialog', { name: `Approve the time off of ${NOAH}?` });
    await asking.getByText(/^9 customers are booked with Noah Adeyemi then\./).waitFor();
    await asking.getByRole('button', { name: 'Show all 9' }).click();
    expect(await asking.getByRole('listitem').count()).toBe(9);
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await asking.waitFor({ state: 'detached' });
    expect(await openIds()).toEqual([]);

    await request.getByRole('button', { name: /^Approve/ }).click();
    await asking.getByRole('button', { name: 'Approve', exact: true }).click();
    await toast(page)
      .getByText(/^Noah Adeyemi has the time off, .+\. 9 customers to settle in the inbox\.$/)
      .waitFor();
    await request.waitFor({ state: 'detached' });
    for (const index of ids.keys()) await inboxRow(page, `Nina ${index + 1}`).waitFor();
    expect(await openIds()).toEqual(ids);
    await page
      .getByRole('region', { name: 'Customers without an employee' })
      .getByText('9 customers', { exact: true })
      .waitFor();

    // Taken back, it is to be decided again.
    await page.keyboard.press('Control+z');
    await toast(page).getByText(`The request of ${NOAH} is to be decided again.`).waitFor();
    expect(await openIds()).toEqual([]);
    await request.getByRole('button', { name: /^Approve/ }).click();
    await asking.getByRole('button', { name: 'Approve', exact: true }).click();
    await request.waitFor({ state: 'detached' });
    for (const index of ids.keys()) await inboxRow(page, `Nina ${index + 1}`).waitFor();

    const moving = page.getByRole('dialog', { name: 'Another time' });
    const moveToTheDayAfter = async () => {
      await inboxRow(page, 'Nina 1')
        .getByRole('button', { name: /^Another time/ })
        .click();
      await moving.getByText('Anyone', { exact: true }).waitFor();
      await moving.getByRole('button', { name: 'The day after' }).click();
      await moving.getByRole('list', { name: 'Free times' }).getByRole('button').first().click();
      await moving.waitFor({ state: 'detached' });
      await inboxRow(page, 'Nina 1').waitFor({ state: 'detached' });
    };
    await moveToTheDayAfter();
    // Back without an employee, as it was.
    await page.keyboard.press('Control+z');
    await toast(page)
      .getByText(/^Moved Nina 1 back to .* with /)
      .waitFor();
    await inboxRow(page, 'Nina 1').waitFor();
    await moveToTheDayAfter();

    await inboxRow(page, 'Nina 2')
      .getByRole('button', { name: /^Waitlist/ })
      .click();
    const waiting = page.getByRole('dialog', { name: 'Put on the waitlist' });
    await waiting.getByRole('button', { name: 'Put on the waitlist' }).click();
    await inboxRow(page, 'Nina 2').waitFor({ state: 'detached' });
    const list = await day.client.call(WaitlistService.method.listWaitlist, {
      businessId: WILLOW,
      pageSize: 50,
    });
    const entry = list.waiting.find(({ entry }) => entry?.customerName === 'Nina 2')?.entry;
    expect(entry?.customerName).toBe('Nina 2');
    day.undo.push(() =>
      day.client.call(WaitlistService.method.leaveWaitlist, { businessId: WILLOW, entryId: entry?.id ?? '' }),
    );

    await inboxRow(page, 'Nina 3')
      .getByRole('button', { name: /^Cancel the visit/ })
      .click();
    const cancelling = page.getByRole('dialog', { name: 'Cancel this appointment?' });
    await cancelling.getByRole('button', { name: 'Cancel appointment' }).click();
    await inboxRow(page, 'Nina 3').waitFor({ state: 'detached' });

    await inboxRow(page, 'Nina 4')
      .getByRole('button', { name: /^Customer told/ })
      .click();
    const telling = page.getByRole('dialog', { name: 'Customer told' });
    await telling.getByRole('button', { name: 'Customer told' }).click();
    await inboxRow(page, 'Nina 4').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await toast(page).getByText('Nina 4 is open in the inbox again.').waitFor();
    await inboxRow(page, 'Nina 4').waitFor();
    await inboxRow(page, 'Nina 4')
      .getByRole('button', { name: /^Called, no answer/ })
      .click();
    await toast(page)
      .getByText(/^Nina 4 did not answer\. The call about .+, 10:30 with Noah Adeyemi is noted\.$/)
      .waitFor();
    await page.keyboard.press('Control+z');
    await toast(page).getByText('The call to Nina 4 is no longer noted.').waitFor();
    // Its panel says so as well, and notes the same.
    await inboxRow(page, 'Nina 4').getByRole('link', { name: 'Nina 4' }).click();
    const panel = page.getByRole('dialog', { name: 'Nina 4' });
    await panel.getByText(/^Noah is away\. Find another time or stylist/).waitFor();
    await panel.getByRole('button', { name: 'Called, no answer' }).click();
    await panel
      .getByRole('list', { name: 'Calls about this visit' })
      .getByText(/^Called, no answer/)
      .waitFor();
    await page.keyboard.press('Control+z');
    await panel.getByRole('list', { name: 'Calls about this visit' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await openIds()).toEqual(ids.slice(3));
  });

  test('after a proposal that was dismissed, which says who stays, and what was changed by hand', async () => {
    const moved = await day.book('Hank Hand', day.noah, '18:00');
    const left = await day.book('Lena Left', day.noah, '19:00');
    await day.client.call(ProposalService.method.reportAbsence, {
      businessId: WILLOW,
      employeeId: day.noah,
      kind: AbsenceKind.SICK,
      startsAt: timestampFromDate(day.at('17:00')),
    });
    const page = await inbox();
    await page.getByText(`${NOAH} is away`).click();
    const lines = page.getByRole('list', { name: `${NOAH} is away` }).getByRole('listitem');
    await lines
      .filter({ hasText: 'Hank Hand' })
      .getByRole('button', { name: 'Apply for Hank Hand' })
      .waitFor();
    await day.client.call(AppointmentService.method.moveAppointment, {
      businessId: WILLOW,
      appointmentId: moved,
      employeeIds: [day.mia],
      startsAt: timestampFromDate(day.at('20:00')),
    });
    const changed = lines.filter({ hasText: 'Hank Hand' });
    await changed.getByText('Moved by hand to 20:00 – 20:30 with Mia Larsen').waitFor();
    await changed.getByText('Changed since').waitFor();
    expect(await changed.getByRole('button').count()).toBe(0);

    await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    const asking = page.getByRole('dialog', { name: 'Dismiss the proposal?' });
    await asking.getByText(/^1 customer still has no employee\./).waitFor();
    expect(await asking.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^Lena Left/),
    ]);
    await asking.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await toast(page).getByText('Proposal dismissed. 1 customer stays in the inbox.').waitFor();
    await until(async () => expect(await lines.count()).toBe(0));
    await page.keyboard.press('Control+z');
    await toast(page).getByText('The proposal is open again.').waitFor();
    await page.getByText(`${NOAH} is away`, { exact: true }).click();
    await page.getByRole('main').getByRole('button', { name: 'Dismiss', exact: true }).click();
    await asking.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await until(async () => expect(await lines.count()).toBe(0));
    await inboxRow(page, 'Lena Left').waitFor();
    expect(await openIds()).toEqual([left]);
    expect(await page.getByText('Nothing needs you').count()).toBe(0);
  });

  test('are accessible as lines, in their dialogs and where an absence is reported, on every width', async () => {
    await day.book('Wanda Wide', day.noah, '21:00', '+447700900631');
    await day.client.call(ProposalService.method.reportAbsence, {
      businessId: WILLOW,
      employeeId: day.noah,
      kind: AbsenceKind.SICK,
      startsAt: timestampFromDate(day.at('20:30')),
    });
    const page = await inbox();
    const row = inboxRow(page, 'Wanda Wide');
    await row.waitFor();
    for (const width of [1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, 'lines', await barriers(page)]).toEqual([width, 'lines', []]);
      for (const [button, title] of [
        [row.getByRole('button', { name: /^Waitlist/ }), 'Put on the waitlist'],
        [row.getByRole('button', { name: /^Customer told/ }), 'Customer told'],
        [page.getByRole('button', { name: 'Absence or closure' }), 'Absence or closure'],
      ] as const) {
        await button.click();
        const dialog = page.getByRole('dialog', { name: title });
        await dialog.waitFor();
        expect([width, title, await barriers(page)]).toEqual([width, title, []]);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
    }
  });
});
