import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { BlockService } from '../src/gen/frontdesk/scheduling/v1/block_pb';
import { dayAfter } from '../src/time/local';
import { barriers } from './barriers';
import { freshPage } from './browser';
import { HOUR_PX, MIA, NOAH, SERVICE, useOwnDay } from './own-day';
import { cardOf, column, pickedUp, toast } from './quiet-day';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const WEDNESDAY = 3;
const day = useOwnDay(WEDNESDAY, 60);

/** As WCAG has it, of two relative luminances. */
const contrast = (one = 0, other = 0) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

test.describe('a visit is found', () => {
  test('by the last figures of a number, from a day of its own or another, and Enter opens it', async () => {
    await day.book('Fern Found', day.mia, '9:00', '+447700900417');
    await day.book('Otto Other', day.noah, '9:00');
    const page = await day.page();
    await cardOf(page, 'Fern Found').waitFor();
    for (const from of [day.date, dayAfter(day.date, 9)]) {
      await page.goto(`/${WILLOW}/schedule?date=${from}`);
      await page.getByRole('button', { name: 'Next day' }).waitFor();
      await page.keyboard.press('/');
      const dialog = page.getByRole('dialog', { name: 'Search' });
      await dialog.getByRole('combobox').fill('0417');
      await dialog.getByRole('option', { name: /9:00 with .*Fern Found · /s }).click();
      await dialog.waitFor({ state: 'detached' });
      const drawer = page.getByRole('dialog', { name: 'Fern Found' });
      await drawer.getByRole('button', { name: 'Move…' }).waitFor();
      // It opens over the day that is shown.
      await page.waitForURL((url) => url.searchParams.has('visit') && url.searchParams.get('date') === from);
    }
  });

  test('or not, and says so', async () => {
    const page = await day.page();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('combobox').fill('no such customer');
    await dialog.getByText('Nothing found for “no such customer”.').waitFor();
  });
});

test.describe('time in which an employee does not work', () => {
  for (const { dark, least } of [
    { dark: false, least: 1.1 },
    { dark: true, least: 1.15 },
  ]) {
    test(`is told from working time ${dark ? 'in the dark' : 'in the light'}, with an edge`, async () => {
      const page = await freshPage({ as: people.owner, dark });
      await page.goto(`/${WILLOW}/schedule?date=${dayAfter(day.date, 7)}`);
      const shade = page.locator('.column .shade:not(.off, .busy)').first();
      await shade.waitFor({ state: 'attached' });
      const [working, off, edge] = await shade.evaluate((element) => {
        const canvas = document.createElement('canvas').getContext('2d');
        const column = element.closest('.column');
        if (!canvas || !column) throw new Error('The shade is in no column.');
        const { backgroundColor, borderTopColor } = getComputedStyle(element);
        /** How bright the last of these colours is over those before it. */
        const brightness = (colours: string[]) => {
          for (const colour of colours) {
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
          }
          const channels = [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          const [red = 0, green = 0, blue = 0] = channels;
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const card = getComputedStyle(column).backgroundColor;
        return [[card], [card, backgroundColor], [card, backgroundColor, borderTopColor]].map(brightness);
      });
      expect(contrast(working, off)).toBeGreaterThanOrEqual(least);
      expect(contrast(working, edge)).toBeGreaterThanOrEqual(1.3);
      expect(contrast(off, edge)).toBeGreaterThanOrEqual(1.3);
    });
  }
});

test.describe('a time that can’t be had', () => {
  test('says what is in the way, and leads to it', async () => {
    const id = await day.book('Wilma Way', day.mia, '10:00');
    const page = await day.page();
    await cardOf(page, 'Wilma Way').focus();
    await page.keyboard.press('y');
    const dialog = page.getByRole('dialog', { name: 'Why not?' });
    await dialog.getByLabel('Service', { exact: true }).selectOption({ label: SERVICE });
    await dialog.getByText('This time can’t be booked.').waitFor();
    const reasons = dialog.getByRole('list', { name: `Reasons, ${MIA}` });
    await reasons.getByText(/^Is booked, 10:00/).waitFor();
    await reasons.getByRole('link', { name: 'See the visit' }).click();
    const drawer = page.getByRole('dialog', { name: 'Wilma Way' });
    await drawer.getByRole('link', { name: 'Open full page' }).click();
    await page.waitForURL((url) => url.pathname === `/${WILLOW}/appointments/${id}`);
  });

  test('looks different from a free one: a press there explains, a press on a free one books', async () => {
    const span = { startsAt: timestampFromDate(day.at('11:00')), endsAt: timestampFromDate(day.at('12:00')) };
    const { blockTime, listBlocks, unblockTime } = BlockService.method;
    const whose = { businessId: WILLOW, employeeId: day.mia };
    await day.client.call(blockTime, { ...whose, ...span, title: 'Inventory' });
    day.undo.push(async () => {
      const { blocks } = await day.client.call(listBlocks, {
        ...whose,
        from: span.startsAt,
        to: span.endsAt,
      });
      for (const { id: blockId } of blocks)
        await day.client.call(unblockTime, { businessId: WILLOW, blockId });
    });
    const page = await day.page({}, `&service=${day.serviceId}`);
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
    expect(await booking.getByLabel('Exact start').inputValue()).toBe('10:30');
    expect(await booking.getByLabel('Service', { exact: true }).inputValue()).toBe(day.serviceId);
  });
});

test.describe('time is blocked', () => {
  test('by drawing over it with the mouse, and undone', async () => {
    const page = await day.page();
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

  test('and is listed on a phone with its reason, where a manager removes and restores it', async () => {
    const span = { startsAt: timestampFromDate(day.at('20:00')), endsAt: timestampFromDate(day.at('20:30')) };
    const { blockTime, listBlocks, unblockTime } = BlockService.method;
    await day.client.call(blockTime, {
      businessId: WILLOW,
      employeeId: day.noah,
      ...span,
      title: 'Driving lesson',
    });
    const standing = async () => {
      const { blocks } = await day.client.call(listBlocks, {
        businessId: WILLOW,
        from: span.startsAt,
        to: span.endsAt,
      });
      return blocks.filter(({ title }) => title === 'Driving lesson');
    };
    day.undo.push(async () => {
      for (const { id: blockId } of await standing())
        await day.client.call(unblockTime, { businessId: WILLOW, blockId });
    });
    const employees = await day.page({ as: people.employee, width: 390 }, '&whose=everyone');
    await employees.getByRole('button', { name: /Driving lesson/ }).click();
    const seen = employees.getByRole('dialog', { name: 'Driving lesson' });
    await seen.getByRole('button', { name: 'Close' }).waitFor();
    expect(await seen.getByRole('button', { name: 'Remove the block' }).count()).toBe(0);
    const page = await day.page({ as: people.manager, width: 390 });
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

  test('by a form, where a taken time is refused in it', async () => {
    await day.book('Tess Taken', day.noah, '13:00');
    const page = await day.page({ as: people.manager });
    await cardOf(page, 'Tess Taken').focus();
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog', { name: 'Block time' });
    expect(await dialog.getByLabel('From').inputValue()).toBe('13:00');
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await dialog.getByRole('alert').getByText('That time is taken.').waitFor();
  });
});

test.describe('a drop on a taken time', () => {
  test('can be squeezed in by a manager, beside what is there', async () => {
    await day.book('Stan Stays', day.noah, '14:00');
    const id = await day.book('Gwen Goes', day.mia, '14:00');
    const page = await day.page({ as: people.manager });
    await pickedUp(page, 'Gwen Goes');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await toast(page)
      .getByText(/^Not moved\. .+ is with another customer until /)
      .waitFor();
    await toast(page).getByRole('button', { name: 'Squeeze in…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Squeeze Gwen Goes in?' });
    await dialog.getByText(/ and leaves .*14:00 with Mia Larsen\.$/).waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Squeeze in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await column(page, NOAH)
      .getByRole('button', { name: /^Gwen Goes, 14:00.*squeezed in$/ })
      .waitFor();
    await cardOf(page, 'Stan Stays', NOAH).waitFor();
    await cardOf(page, 'Gwen Goes', MIA).waitFor({ state: 'detached' });
    await toast(page)
      .getByText(/^Squeezed Gwen Goes in: .*14:00 with Noah Adeyemi\.$/)
      .waitFor();
    const read = () =>
      day.client.call(AppointmentService.method.getAppointment, { businessId: WILLOW, appointmentId: id });
    expect((await read()).appointment?.squeezedIn).toBe(true);
    await page.keyboard.press('Control+z');
    await toast(page)
      .getByText(/^Moved Gwen Goes back to .* with /)
      .waitFor();
    await cardOf(page, 'Gwen Goes', MIA).waitFor();
    expect((await read()).appointment?.squeezedIn).toBe(false);
  });

  test('is not offered to an employee', async () => {
    await day.book('Nina Next', day.noah, '15:00');
    await day.book('Evan Early', day.mia, '15:00');
    const page = await day.page({ as: people.employee });
    await pickedUp(page, 'Evan Early');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await toast(page)
      .getByText(/^Not moved\. .+ is with another customer until /)
      .waitFor();
    expect(await toast(page).getByRole('button', { name: 'Squeeze in…' }).count()).toBe(0);
  });
});
