import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Page } from '@playwright/test';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { BlockService } from '../src/gen/frontdesk/scheduling/v1/block_pb';
import { DayService } from '../src/gen/frontdesk/scheduling/v1/day_pb';
import { ProposalService } from '../src/gen/frontdesk/scheduling/v1/proposal_pb';
import { TimeOffKind, TimeOffService } from '../src/gen/frontdesk/scheduling/v1/time_off_pb';
import { timeOfDay } from '../src/time/zoned';
import { HOUR_PX } from './own-day';
import { ROSA, THEO, usePresentSalon, VISIT_MINUTES } from './present-salon';
import { cardOf, carried, toast } from './quiet-day';
import { LONDON } from './salon';
import { SECOND } from './stack';
import { expect, test } from './test';
import { until } from './until';

const MINUTE_MS = 60_000;
const salon = usePresentSalon();

test.beforeEach(() => test.skip(salon.isLate(), 'The visits no longer fit into today.'));

const seconds = (date: Date) => BigInt(date.getTime() / 1000);
const clock = (date: Date) => timeOfDay(date, LONDON);
const steps = (page: Page) => page.getByRole('group', { name: 'State' }).getByRole('button');

test('what a visit is too early for is absent, comes by itself, and goes when its time is over', async () => {
  const start = salon.at(150);
  const id = await salon.book('Tilda Timely', salon.rosa, start);
  await expect(salon.bring(id, AppointmentState.ARRIVED)).rejects.toThrow('NOT_YET');
  const page = await salon.page('/schedule');
  await page.clock.install();
  await page.goto(`/${SECOND}/schedule?visit=${id}`);
  const drawer = page.getByRole('dialog', { name: 'Tilda Timely' });
  const late = drawer.getByRole('button', { name: 'Running late…' });
  await drawer.getByRole('button', { name: 'Confirm' }).waitFor();
  expect(await steps(page).allTextContents()).toEqual(['Confirm']);
  expect(await late.count()).toBe(0);

  await page.clock.fastForward(60 * MINUTE_MS);
  await late.waitFor();
  await until(async () =>
    expect(await steps(page).allTextContents()).toEqual(['Confirm', 'Arrived', 'Start service']),
  );
  // The page is an hour ahead of the service.
  await drawer.getByRole('button', { name: 'Arrived' }).click();
  const from = new Date(start.getTime() - 120 * MINUTE_MS);
  await drawer.getByText(`It is too early: possible from ${clock(from)}`).waitFor();

  await page.clock.fastForward(115 * MINUTE_MS);
  await until(async () =>
    expect(await steps(page).allTextContents()).toEqual(['Arrived', 'Start service', 'Complete', 'No-show']),
  );
  await page.clock.fastForward((VISIT_MINUTES + 1) * MINUTE_MS);
  await late.waitFor({ state: 'detached' });
  await salon.leave(id);
});

/** Words in the columns of the day that the line of the present runs through. */
const wordsStruck = (page: Page) =>
  page.evaluate(() => {
    const all = new CSSStyleSheet();
    all.replaceSync('* { pointer-events: auto !important; }');
    document.adoptedStyleSheets.push(all);
    const isOpaque = (element: Element) => {
      const { backgroundColor } = getComputedStyle(element);
      return !/^(transparent|rgba\(.*, 0(\.\d+)?\)|color\(.* \/ 0?\.\d+\))$/.test(backgroundColor);
    };
    const struck: string[] = [];
    for (const line of document.querySelectorAll('[data-now]')) {
      if (getComputedStyle(line).visibility === 'hidden') continue;
      const { top, height } = line.getBoundingClientRect();
      const y = top + height / 2;
      const texts = document.createTreeWalker(line.parentElement as Element, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        for (const box of range.getClientRects()) {
          if (box.width === 0 || y < box.top || y > box.bottom) continue;
          const layers = document.elementsFromPoint(box.left + box.width / 2, y);
          const above = layers.slice(0, Math.max(0, layers.indexOf(line)));
          if (layers.includes(line) && !above.some(isOpaque))
            struck.push(texts.currentNode.textContent ?? '');
        }
      }
    }
    document.adoptedStyleSheets.pop();
    return struck;
  });

test('the line of the present never strikes words through: not of a card, nor of blocked time', async () => {
  const start = salon.at(0);
  const id = await salon.book('Nora Now', salon.rosa, start);
  const { block } = await salon.client.call(BlockService.method.blockTime, {
    businessId: SECOND,
    employeeId: salon.theo,
    title: 'Stock count',
    startsAt: timestampFromDate(start),
    endsAt: timestampFromDate(new Date(start.getTime() + 60 * MINUTE_MS)),
  });
  const blockId = block?.id ?? '';
  const unblock = () => salon.client.call(BlockService.method.unblockTime, { businessId: SECOND, blockId });
  salon.undo.push(unblock);
  const page = await salon.page('/schedule');
  await page.clock.install();
  await page.goto(`/${SECOND}/schedule`);
  await cardOf(page, 'Nora Now', ROSA).waitFor();
  const lines = page.locator('[data-now]');
  const until5 = start.getTime() - Date.now() + 5 * MINUTE_MS;
  // From the first row of words to the last, of both.
  await page.clock.fastForward(until5);
  for (let minute = 5; minute < VISIT_MINUTES; minute += 5) {
    expect(await lines.count()).toBeGreaterThan(0);
    await until(async () => expect(await wordsStruck(page)).toEqual([]));
    await page.clock.fastForward(5 * MINUTE_MS);
  }
  await salon.leave(id);
  await unblock();
});

test('a late visit finds a way past another, from its own page', async () => {
  const start = salon.at(0);
  const first = await salon.book('Lars Late', salon.rosa, start);
  const behind = new Date(start.getTime() + VISIT_MINUTES * MINUTE_MS);
  const next = await salon.book('Nils Next', salon.rosa, behind);
  const page = await salon.page(`/appointments/${first}`);
  await page.getByRole('button', { name: 'Running late' }).click();
  const asking = page.getByRole('dialog', { name: 'Running late' });
  await asking.getByText('30 min', { exact: true }).click();
  await asking.getByRole('button', { name: '30 minutes late' }).click();
  const proposal = page.getByRole('dialog', { name: 'Others are in the way' });
  await proposal.getByRole('button', { name: 'Apply all 2' }).click();
  await proposal.waitFor({ state: 'detached' });
  const { startsAt } = await salon.visit(first);
  expect(startsAt?.seconds).toBe(seconds(new Date(start.getTime() + 30 * MINUTE_MS)));
  for (const id of [first, next]) await salon.leave(id);
});

test('a visit that has begun stays where it is', async () => {
  const start = salon.at(90);
  const id = await salon.book('Kit Begun', salon.rosa, start);
  await salon.bring(id, AppointmentState.IN_SERVICE);
  const page = await salon.page('/schedule');
  await page.getByRole('button', { name: /^Kit Begun,.*In service$/ }).waitFor();
  await carried(page, cardOf(page, 'Kit Begun'), { x: 0, y: HOUR_PX });
  await page.mouse.up();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: new RegExp(`^Kit Begun, ${clock(start)}`) }).waitFor();
  expect((await salon.visit(id)).startsAt?.seconds).toBe(seconds(start));
  await salon.leave(id);
});

test('a visit under way ends later by its lower edge', async () => {
  const start = salon.at(90);
  const id = await salon.book('Lena Longer', salon.theo, start);
  await salon.bring(id, AppointmentState.IN_SERVICE);
  const page = await salon.page('/schedule');
  const card = cardOf(page, 'Lena Longer');
  await card.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const box = await card.boundingBox();
  if (!box) throw new Error('The card is not on the screen.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height - 3];
  await page.mouse.move(x, y);
  // The edge comes with the mouse.
  await page.locator('[data-edge]').waitFor();
  await page.mouse.down();
  await page.mouse.move(x, y + HOUR_PX / 3, { steps: 5 });
  await page.mouse.up();
  const ends = new Date(start.getTime() + (VISIT_MINUTES + 20) * MINUTE_MS);
  const until = (end: Date) =>
    page.getByRole('button', { name: new RegExp(`^Lena Longer, ${clock(start)} – ${clock(end)}`) });
  const told = toast(page).filter({ hasText: `ends at ${clock(ends)}.` });
  await told.waitFor();
  await until(ends).waitFor();
  await told.getByRole('button', { name: 'Undo' }).click();
  await until(new Date(start.getTime() + VISIT_MINUTES * MINUTE_MS)).waitFor();
  await salon.leave(id);
});

test('of a sick stylist’s five visits two have arrived, and the other three are settled one by one', async () => {
  salon.undo.push(backAtWork);
  const names = ['Abe Arrived', 'Bea Arrived', 'Cem Colleague', 'Dot Stylist', 'Eli Told'];
  const ids: string[] = [];
  const base = salon.at(0).getTime();
  for (const [index, name] of names.entries()) {
    ids.push(
      await salon.book(name, salon.theo, new Date(base + 45 * index * MINUTE_MS), `+4477009006${10 + index}`),
    );
  }
  const [abe = '', bea = '', cem = '', dot = '', eli = ''] = ids;
  for (const id of [abe, bea]) await salon.bring(id, AppointmentState.ARRIVED);
  const page = await salon.page('/schedule');
  await page.getByRole('button', { name: `${THEO}: absence or closure` }).click();
  const asking = page.getByRole('dialog', { name: 'Absence or closure' });
  await asking.getByRole('button', { name: 'Report' }).click();
  const proposal = page.getByRole('dialog', { name: `${THEO} is away` });
  const lines = proposal.getByRole('listitem');
  await lines.first().waitFor();
  expect(await lines.count()).toBe(3);
  await proposal.getByRole('button', { name: 'Apply for Cem Colleague' }).click();
  await lines.filter({ hasText: 'Cem Colleague' }).getByText('Applied').waitFor();
  expect((await salon.visit(cem)).items[0]?.employeeName).toBe(ROSA);
  await proposal.getByRole('button', { name: 'Close' }).click();
  await proposal.waitFor({ state: 'detached' });

  // Those who come later look it; those who are here do not.
  for (const name of ['Dot Stylist', 'Eli Told']) {
    await cardOf(page, name, THEO).and(page.locator('[data-stranded]')).waitFor();
  }
  expect(await page.locator('[data-stranded]').count()).toBe(2);
  expect(await openIds()).toEqual([dot, eli]);

  await page.goto(`/${SECOND}/inbox`);
  await inboxRow(page, 'Dot Stylist')
    .getByRole('button', { name: /^Another stylist/ })
    .click();
  const colleagues = page.getByRole('dialog', { name: 'Another stylist' });
  await colleagues.getByRole('list', { name: 'Free colleagues' }).getByRole('button', { name: ROSA }).click();
  await inboxRow(page, 'Dot Stylist').waitFor({ state: 'detached' });
  await toast(page)
    .getByText(/^Moved Dot Stylist to .+ with Rosa Vance\.$/)
    .waitFor();
  expect((await salon.visit(dot)).items[0]?.employeeName).toBe(ROSA);

  const row = inboxRow(page, 'Eli Told');
  await row.getByText('Theo is away').waitFor();
  await row.locator('a[href="tel:+447700900614"]').waitFor();
  await row.getByRole('button', { name: /^Called, no answer/ }).click();
  await row.getByText(/^No answer today, /).waitFor();
  expect(await openIds()).toEqual([eli]);
  await row.getByRole('button', { name: /^Customer told/ }).click();
  const told = page.getByRole('dialog', { name: 'Customer told' });
  await told.getByLabel('What was agreed (optional)').fill('Comes on Tuesday, calls again.');
  await told.getByRole('button', { name: 'Customer told' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await openIds()).toEqual([]);
  await page.getByRole('heading', { name: 'Customers without an employee' }).waitFor({ state: 'detached' });
  // The day and the visit say that the customer knows.
  await page.goto(`/${SECOND}/schedule`);
  const card = cardOf(page, 'Eli Told', THEO).and(page.getByRole('button', { name: /, customer told/ }));
  await card.waitFor();
  expect(await page.locator('[data-stranded]').count()).toBe(0);
  await card.click();
  const calls = page.getByRole('list', { name: 'Calls about this visit' }).getByRole('listitem');
  await calls.first().waitFor();
  expect(await calls.allTextContents()).toEqual([
    expect.stringMatching(/^Told.*today, \d{1,2}:\d\d: “Comes on Tuesday, calls again\.”$/),
    expect.stringMatching(/^Called, no answer.*today, \d{1,2}:\d\d$/),
  ]);
  // Each of the five is accounted for.
  const states = await Promise.all(ids.map(async (id) => (await salon.visit(id)).state));
  const { ARRIVED, BOOKED } = AppointmentState;
  expect(states).toEqual([ARRIVED, ARRIVED, BOOKED, BOOKED, BOOKED]);
});

const inboxRow = (page: Page, customer: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('group', { name: `Settle the visit of ${customer}` }) });

const openIds = async () => {
  const { stranded } = await salon.client.call(DayService.method.listStrandedAppointments, {
    businessId: SECOND,
    employeeId: salon.theo,
  });
  return stranded.map(({ appointmentId }) => appointmentId);
};

/** Theo is well again, and no proposal is left open. */
async function backAtWork(): Promise<void> {
  const { listTimeOff, withdrawTimeOff } = TimeOffService.method;
  const { timeOff } = await salon.client.call(listTimeOff, {
    businessId: SECOND,
    employeeId: salon.theo,
    pageSize: 200,
  });
  for (const { id, kind } of timeOff)
    if (kind === TimeOffKind.SICK)
      await salon.client.call(withdrawTimeOff, { businessId: SECOND, timeOffId: id });
  const { listProposals, dismissProposal } = ProposalService.method;
  const { proposals } = await salon.client.call(listProposals, { businessId: SECOND, pageSize: 50 });
  for (const { id } of proposals)
    await salon.client.call(dismissProposal, { businessId: SECOND, proposalId: id });
}
