import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppointmentService, AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { BlockService } from '../src/gen/frontdesk/scheduling/v1/block_pb';
import { ProposalService } from '../src/gen/frontdesk/scheduling/v1/proposal_pb';
import { TimeOffKind, TimeOffService } from '../src/gen/frontdesk/scheduling/v1/time_off_pb';
import { VisitService } from '../src/gen/frontdesk/scheduling/v1/visit_pb';
import { WaitlistService } from '../src/gen/frontdesk/scheduling/v1/waitlist_pb';
import { freshPage, inside, useBrowser } from './browser';
import {
  bookedFor,
  cardOf,
  clockOn,
  column,
  customerNamed,
  pickedUp,
  placeOf,
  quietDay,
  toast,
} from './quiet-day';
import { RestClient } from './rest';
import { cancelled, employeeNamed, openOn, serviceNamed } from './salon';
import { people, WILLOW } from './stack';
import { useUndo } from './undo';
import { until } from './until';

useBrowser();

const [MIA, NOAH] = ['Mia Larsen', 'Noah Adeyemi'];
const SERVICE = "Men's cut";
/** An hour's height at the zoom a browser begins with. */
const HOUR_PX = 88;
const WEDNESDAY = 3;

let client: RestClient;
let day: string;
let serviceId: string;
let mia: string;
let noah: string;
const undo = useUndo();

beforeAll(async () => {
  client = await RestClient.as(people.owner);
  [mia, noah] = [await employeeNamed(client, MIA), await employeeNamed(client, NOAH)];
  serviceId = (await serviceNamed(client, SERVICE)).id;
  day = await quietDay(client, WEDNESDAY, 60);
  undo.push(await openOn(client, day, [mia, noah]));
});

const at = (clock: string) => clockOn(day, clock);

/** A visit of a customer with a name of their own. */
async function book(name: string, employeeId: string, clock: string, phone = ''): Promise<string> {
  const id = await bookedFor(client, name, { serviceId, employeeId }, at(clock), phone);
  undo.push(() => cancelled(client, id));
  return id;
}

async function atDay(visit: Parameters<typeof freshPage>[0] = {}, more = ''): Promise<Page> {
  const page = await freshPage({ as: people.owner, ...visit });
  await page.goto(`/${WILLOW}/schedule?date=${day}${more}`);
  await inside(page);
  // With its tools the day takes keys. A phone has them in a menu.
  const tools = page.getByRole('group', { name: 'Beside the day' });
  await tools.or(page.getByRole('list', { name: /^Visits, / })).waitFor();
  return page;
}

describe('a visit is found', () => {
  it('by the last figures of a number, and Enter leads to its card', async () => {
    await book('Fern Found', mia, '9:00', '+447700900417');
    await book('Otto Other', noah, '9:00');
    const page = await atDay();
    await cardOf(page, 'Fern Found').waitFor();
    await page.keyboard.press('/');
    const dialog = page.getByRole('dialog', { name: 'Find a visit' });
    await dialog.getByRole('combobox').fill('0417');
    await dialog.getByRole('option', { name: /^Fern Found/ }).waitFor();
    expect(await dialog.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await until(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Fern Found,/),
    );
  });

  it('or not, and says so', async () => {
    const page = await atDay();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Find a visit' });
    await dialog.getByRole('combobox').fill('nobody at all');
    await dialog.getByText('No visit of this day goes by “nobody at all”.').waitFor();
  });
});

describe('a time that can’t be had', () => {
  it('says what is in the way, and leads to it', async () => {
    const id = await book('Wilma Way', mia, '10:00');
    const page = await atDay();
    await cardOf(page, 'Wilma Way').focus();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Why not?' });
    await dialog.getByLabel('Service', { exact: true }).selectOption({ label: SERVICE });
    await dialog.getByText('This time can’t be booked.').waitFor();
    const reasons = dialog.getByRole('list', { name: `Reasons, ${MIA}` });
    await reasons.getByText(/^Is booked, 10:00/).waitFor();
    await reasons.getByRole('link', { name: 'See the visit' }).click();
    await page.waitForURL((url) => url.pathname === `/${WILLOW}/appointments/${id}`);
  });

  it('is told apart from what can: a press there books, a press elsewhere asks', async () => {
    const span = { startsAt: timestampFromDate(at('11:00')), endsAt: timestampFromDate(at('12:00')) };
    const { blockTime, listBlocks, unblockTime } = BlockService.method;
    const whose = { businessId: WILLOW, employeeId: mia };
    await client.call(blockTime, { ...whose, ...span, title: 'Inventory' });
    undo.push(async () => {
      const { blocks } = await client.call(listBlocks, { ...whose, from: span.startsAt, to: span.endsAt });
      for (const { id: blockId } of blocks) await client.call(unblockTime, { businessId: WILLOW, blockId });
    });
    const page = await atDay({}, `&service=${serviceId}`);
    const block = page.getByRole('button', { name: 'Inventory, 11:00 – 12:00, blocked' });
    await block.scrollIntoViewIfNeeded();
    const [taken, whole] = [await block.boundingBox(), await column(page, MIA).boundingBox()];
    if (!taken || !whole) throw new Error('The block is not on the screen.');
    // Half an hour does not fit into the quarter before the block.
    const press = (minutesBefore: number) =>
      column(page, MIA).click({
        position: { x: whole.width / 2, y: taken.y - whole.y - (minutesBefore * HOUR_PX) / 60 + 4 },
      });
    await press(15);
    const dialog = page.getByRole('dialog', { name: 'Why not?' });
    await dialog
      .getByRole('list', { name: `Reasons, ${MIA}` })
      .getByText(/^Is blocked/)
      .waitFor();
    await dialog.getByRole('button', { name: 'See the block' }).click();
    const details = page.getByRole('dialog', { name: 'Inventory' });
    await details.getByRole('button', { name: 'Remove the block' }).click();
    await details.waitFor({ state: 'detached' });
    await block.waitFor({ state: 'detached' });
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await block.waitFor();
    await press(30);
    const booking = page.getByRole('dialog', { name: 'New booking' });
    expect(await booking.getByLabel('Start, if asked').inputValue()).toBe('10:30');
    expect(await booking.getByLabel('Service', { exact: true }).inputValue()).toBe(serviceId);
  });
});

describe('time is blocked', () => {
  it('by drawing over it with the mouse, and taken back', async () => {
    const page = await atDay();
    await column(page, NOAH).waitFor();
    await cardOf(page, 'Otto Other').scrollIntoViewIfNeeded();
    const card = await cardOf(page, 'Otto Other').boundingBox();
    if (!card) throw new Error('The card is not on the screen.');
    const [x, top] = [card.x + card.width / 2, card.y + HOUR_PX + 4];
    await page.mouse.move(x, top);
    await page.mouse.down();
    await page.mouse.move(x, top + HOUR_PX / 2, { steps: 4 });
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'Block time' });
    expect(await dialog.getByLabel('From').inputValue()).toBe('10:00');
    expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe('10:45');
    await dialog.getByLabel('What for').fill('Dentist');
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const block = column(page, NOAH).getByRole('button', { name: 'Dentist, 10:00 – 10:45, blocked' });
    await block.waitFor();
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await block.waitFor({ state: 'detached' });
  });

  it('and stands in the list of a phone with its reason, where it is removed and brought back', async () => {
    const span = { startsAt: timestampFromDate(at('20:00')), endsAt: timestampFromDate(at('20:30')) };
    const { blockTime, listBlocks, unblockTime } = BlockService.method;
    await client.call(blockTime, { businessId: WILLOW, employeeId: noah, ...span, title: 'Driving lesson' });
    const standing = async () => {
      const { blocks } = await client.call(listBlocks, {
        businessId: WILLOW,
        from: span.startsAt,
        to: span.endsAt,
      });
      return blocks.filter(({ title }) => title === 'Driving lesson');
    };
    undo.push(async () => {
      for (const { id: blockId } of await standing())
        await client.call(unblockTime, { businessId: WILLOW, blockId });
    });
    const page = await atDay({ as: people.employee, width: 390 });
    const row = page.getByRole('list', { name: /^Visits, / }).getByRole('button', { name: /Driving lesson/ });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/^20:00\s+20:30\s+Driving lesson\s+Blocked\s+Noah Adeyemi$/);
    expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await row.click();
    const details = page.getByRole('dialog', { name: 'Driving lesson' });
    await details.getByRole('button', { name: 'Remove the block' }).click();
    await details.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect(await standing()).toEqual([]);
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    expect(await standing()).toHaveLength(1);
  });

  it('by a form, where a taken time is refused in it', async () => {
    await book('Tess Taken', noah, '13:00');
    const page = await atDay({ as: people.manager });
    await cardOf(page, 'Tess Taken').focus();
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog', { name: 'Block time' });
    expect(await dialog.getByLabel('From').inputValue()).toBe('13:00');
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await dialog.getByRole('alert').getByText('Somebody else just took that time.').waitFor();
  });
});

describe('a drop on a taken time', () => {
  it('can be squeezed in by a manager, beside what is there', async () => {
    await book('Stan Stays', noah, '14:00');
    const id = await book('Gwen Goes', mia, '14:00');
    const page = await atDay({ as: people.manager });
    await pickedUp(page, 'Gwen Goes');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await toast(page).getByText('Not moved. Somebody else just took that time.').waitFor();
    await toast(page).getByRole('button', { name: 'Squeeze in…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Squeeze Gwen Goes in?' });
    await dialog.getByRole('button', { name: 'Squeeze in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await column(page, NOAH)
      .getByRole('button', { name: /^Gwen Goes, 14:00.*squeezed in$/ })
      .waitFor();
    await cardOf(page, 'Stan Stays', NOAH).waitFor();
    await cardOf(page, 'Gwen Goes', MIA).waitFor({ state: 'detached' });
    const { appointment } = await client.call(AppointmentService.method.getAppointment, {
      businessId: WILLOW,
      appointmentId: id,
    });
    expect(appointment?.state).toBe(AppointmentState.CANCELLED);
  });

  it('is not offered to an employee', async () => {
    await book('Nina Next', noah, '15:00');
    await book('Evan Early', mia, '15:00');
    const page = await atDay({ as: people.employee });
    await pickedUp(page, 'Evan Early');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await toast(page).getByText('Not moved. Somebody else just took that time.').waitFor();
    expect(await toast(page).getByRole('button', { name: 'Squeeze in…' }).count()).toBe(0);
  });
});

it('a visit under way ends later by its lower edge', async () => {
  const id = await book('Lena Longer', mia, '16:00');
  const { setAppointmentState } = VisitService.method;
  const stand = (state: AppointmentState) =>
    client.call(setAppointmentState, { businessId: WILLOW, appointmentId: id, state });
  await stand(AppointmentState.IN_SERVICE);
  undo.push(() => stand(AppointmentState.BOOKED));
  const page = await atDay();
  const card = cardOf(page, 'Lena Longer');
  await card.scrollIntoViewIfNeeded();
  const box = await card.boundingBox();
  if (!box) throw new Error('The card is not on the screen.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height - 3];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + HOUR_PX / 3, { steps: 5 });
  await page.mouse.up();
  await toast(page).getByText('Lena Longer ends 20 minutes later.').waitFor();
  await page.getByRole('button', { name: /^Lena Longer, 16:00 – 16:50/ }).waitFor();
});

describe('beside the day', () => {
  it('stands who waits for it, and one press books them', async () => {
    const name = `Wes Waits ${Date.now() % 1_000_000}`;
    const { entry } = await client.call(WaitlistService.method.joinWaitlist, {
      businessId: WILLOW,
      customerId: await customerNamed(client, name),
      items: [{ serviceId }],
      firstDate: day,
      lastDate: day,
      fromMinute: 17 * 60,
      toMinute: 18 * 60,
    });
    expect(entry).toBeDefined();
    const page = await atDay();
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

  it('keeps the length that somebody waits for', async () => {
    const name = `Lil Long ${Date.now() % 1_000_000}`;
    await client.call(WaitlistService.method.joinWaitlist, {
      businessId: WILLOW,
      customerId: await customerNamed(client, name),
      items: [{ serviceId, extraMinutes: 35 }],
      firstDate: day,
      lastDate: day,
      fromMinute: 18 * 60,
      toMinute: 20 * 60,
    });
    const page = await atDay();
    await page.keyboard.press('w');
    const panel = page.getByRole('complementary', { name: 'Waitlist' });
    const waiting = panel.getByRole('listitem').filter({ hasText: name });
    await waiting.getByText(/ \(35 min longer\)$/).waitFor();
    await waiting.getByRole('button', { name: new RegExp(`^Book ${name}, 1[89]:\\d\\d with `) }).click();
    await toast(page)
      .getByText(new RegExp(`^${name} is booked: `))
      .waitFor();
    const { appointments } = await client.call(AppointmentService.method.listAppointments, {
      businessId: WILLOW,
      from: timestampFromDate(at('18:00')),
      to: timestampFromDate(at('21:00')),
    });
    const visit = appointments.find(({ customerName }) => customerName === name);
    undo.push(() => cancelled(client, visit?.id ?? ''));
    expect(visit?.items.map(({ extraMinutes }) => extraMinutes)).toEqual([35]);
  });

  it('stand its conflicts, or that there are none; a phone has them in front', async () => {
    const page = await atDay({ width: 390 });
    await page.getByRole('button', { name: 'More for this day' }).click();
    await page.getByRole('menuitem', { name: 'Conflicts' }).click();
    const sheet = page.getByRole('dialog', { name: 'Conflicts' });
    await sheet.getByText('No conflicts on this day').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it('stands who has nobody any more, also after the page was left, until they are moved', async () => {
    const id = await book('Nell Nobody', noah, '21:00');
    const { requestTimeOff, approveTimeOff, withdrawTimeOff } = TimeOffService.method;
    const { timeOff } = await client.call(requestTimeOff, {
      businessId: WILLOW,
      employeeId: noah,
      kind: TimeOffKind.SICK,
      startsAt: timestampFromDate(at('20:45')),
      endsAt: timestampFromDate(at('21:45')),
    });
    const theirs = { businessId: WILLOW, timeOffId: timeOff?.id ?? '' };
    await client.call(approveTimeOff, theirs);
    undo.push(() => client.call(withdrawTimeOff, theirs));

    const page = await atDay();
    await page.getByRole('button', { name: /^To be moved\s*1 on this day/ }).click();
    const panel = page.getByRole('complementary', { name: 'To be moved' });
    const row = panel.getByRole('button', { name: /Nell Nobody/ });
    await row.getByText('Sick').waitFor();
    await page.goto(`/${WILLOW}`);
    await inside(page);
    await page.goBack();
    await inside(page);
    await row.waitFor();
    await page.reload();
    await inside(page);
    await row.click();
    const drawer = page.getByRole('dialog', { name: 'Nell Nobody' });
    await drawer.getByRole('button', { name: 'Move…' }).click();
    await drawer.getByLabel(`${SERVICE} with`).selectOption({ label: MIA });
    await drawer.getByRole('button', { name: 'Move', exact: true }).click();
    await drawer.waitFor({ state: 'hidden' });
    await panel.getByText('Nothing to be moved').waitFor();
    expect((await placeOf(client, id)).employee).toBe(MIA);
  });

  it('is all of it within reach on a phone, by a row and a menu', async () => {
    const page = await atDay({ as: people.manager, width: 390 });
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
    for (const name of ['Find a visit…', 'Why not?…', 'Block time…', 'Waitlist', 'Optimise day'])
      expect(await menu.getByRole('menuitem', { name }).count()).toBe(1);
    await menu.getByRole('menuitemradio', { name: 'Everybody, one day', checked: true }).waitFor();
    await menu.getByRole('menuitemradio', { name: `${MIA}, the week` }).click();
    await until(() => expect(new URL(page.url()).searchParams.get('employee')).toBe(mia));
    await page.getByRole('button', { name: 'Next week' }).waitFor();
  });

  it('stands a better day, line by line', async () => {
    // Ten minutes between two visits that nothing fits into.
    const [first, second] = [
      await book('Una Uneven', noah, '18:00'),
      await book('Vic Uneven', noah, '18:40'),
    ];
    const page = await atDay({ as: people.manager }, '&panel=optimise');
    const panel = page.getByRole('complementary', { name: 'Optimise day' });
    await panel.getByRole('button', { name: 'Look for a better day' }).click();
    await panel.getByRole('table', { name: 'What the day costs' }).waitFor();
    await panel.getByRole('img', { name: new RegExp(`^Then: the day of .*${NOAH}`) }).waitFor();
    const line = panel.getByRole('listitem').filter({ hasText: /Una Uneven|Vic Uneven/ });
    await line
      .first()
      .getByRole('button', { name: /^Apply for/ })
      .click();
    await line.first().getByText('Applied').waitFor();
    const startOf = async (appointmentId: string) => {
      const { appointment } = await client.call(AppointmentService.method.getAppointment, {
        businessId: WILLOW,
        appointmentId,
      });
      return Number(appointment?.startsAt?.seconds) * 1000;
    };
    expect([await startOf(first), await startOf(second)]).not.toEqual([
      at('18:00').getTime(),
      at('18:40').getTime(),
    ]);
    const dismiss = panel.getByRole('button', { name: 'Dismiss' });
    if (await dismiss.isVisible()) await dismiss.click();
    await until(async () => {
      const { proposals } = await client.call(ProposalService.method.listProposals, {
        businessId: WILLOW,
        fromDate: day,
      });
      expect(proposals.filter(({ date }) => date === day)).toHaveLength(0);
    });
  });
});
