import type { Page } from '@playwright/test';
import { freshPage, inside } from './browser';
import { followed } from './live';
import { bookedFor, cardOf, carried, clockOn, column, placeOf, quietDay, toast } from './quiet-day';
import { RestClient } from './rest';
import { cancelled, employeeNamed, serviceNamed } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { useUndo } from './undo';
import { until } from './until';

const [MIA, NOAH] = ['Mia Larsen', 'Noah Adeyemi'];
const SERVICE = "Men's cut";
/** An hour's height at the zoom a browser begins with. */
const HOUR_PX = 88;
const TUESDAY = 2;
const TAKEN = /^Not moved\. .+ is with another customer until /;

let client: RestClient;
let day: string;
let serviceId: string;
let mia: string;
let noah: string;
const undo = useUndo();

test.beforeAll(async () => {
  client = await RestClient.as(people.owner);
  [mia, noah] = [await employeeNamed(client, MIA), await employeeNamed(client, NOAH)];
  serviceId = (await serviceNamed(client, SERVICE)).id;
  day = await quietDay(client, TUESDAY, 75);
});

async function book(name: string, employeeId: string, clock: string): Promise<string> {
  const id = await bookedFor(client, name, { serviceId, employeeId }, clockOn(day, clock));
  undo.push(() => cancelled(client, id));
  return id;
}

/** A second receptionist's browser, with a live socket. */
async function desk(email: string): Promise<Page> {
  const page = await freshPage({ as: email });
  const live = followed(page);
  await page.goto(`/${WILLOW}/schedule?date=${day}`);
  await inside(page);
  await column(page, MIA).waitFor();
  await live;
  // A reload would clear this mark.
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  return page;
}

const sameDocument = (page: Page) => page.evaluate(() => 'sameDocument' in window);

/** From the middle of one column to that of the other. */
async function across(page: Page, from: string, to: string): Promise<number> {
  const [one, other] = await Promise.all([column(page, from).boundingBox(), column(page, to).boundingBox()]);
  if (!one || !other) throw new Error('A column is not on the screen.');
  return other.x - one.x;
}

test.describe('two people at two desks on one day', () => {
  test('want one time: the second is refused, and sees the first visit', async () => {
    const second = await book('Anna Second', noah, '12:00');
    const first = await book('Bert First', mia, '10:00');
    const [hers, his] = [await desk(people.manager), await desk(people.employee)];

    // One receptionist holds a card over the time to which the other one moves a visit.
    await carried(hers, cardOf(hers, 'Anna Second'), { x: await across(hers, NOAH, MIA), y: 0 });
    await hers.locator('[data-ghost]').waitFor();
    await carried(his, cardOf(his, 'Bert First'), { x: 0, y: 2 * HOUR_PX });
    await his.mouse.up();
    await toast(his)
      .getByText(/^Moved Bert First to /)
      .waitFor();
    await hers.mouse.up();

    await toast(hers).getByText(TAKEN).waitFor();
    await hers.getByRole('button', { name: /^Anna Second, 12:00 .*with Noah Adeyemi/ }).waitFor();
    await cardOf(hers, 'Anna Second', NOAH).waitFor();
    await column(hers, MIA)
      .getByRole('button', { name: /^Bert First, 12:00/ })
      .waitFor();
    expect(await cardOf(hers, 'Anna Second').count()).toBe(1);
    expect(await sameDocument(hers)).toBe(true);
    const noon = clockOn(day, '12:00').getTime() / 1000;
    expect(await placeOf(client, second)).toEqual({ employee: NOAH, seconds: noon });
    expect(await placeOf(client, first)).toEqual({ employee: MIA, seconds: noon });
    // The other receptionist's page never showed the refused move.
    await cardOf(his, 'Anna Second', NOAH).waitFor();
  });

  test('want one time, and the first books into it', async () => {
    await book('Cleo Dragged', noah, '15:00');
    const [hers, his] = [await desk(people.manager), await desk(people.employee)];
    await carried(hers, cardOf(hers, 'Cleo Dragged'), { x: await across(hers, NOAH, MIA), y: 0 });
    await hers.locator('[data-ghost]').waitFor();

    await his.keyboard.press('c');
    const dialog = his.getByRole('dialog', { name: 'New booking' });
    await dialog.getByLabel('Service', { exact: true }).selectOption({ label: SERVICE });
    await dialog.getByLabel('With', { exact: true }).selectOption({ label: MIA });
    await dialog.getByText(`Only ${MIA}`, { exact: true }).click();
    await dialog.getByLabel('Day', { exact: true }).fill(day);
    await dialog.getByLabel('Exact start').fill('15:00');
    await dialog
      .getByRole('list', { name: 'Free times' })
      .getByRole('button', { name: /^15:00/ })
      .click();
    await dialog.getByText('Held for you').waitFor();
    await dialog.getByRole('button', { name: 'Book', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const booked = cardOf(his, 'Walk-in', MIA).first();
    await booked.waitFor();
    await hers.mouse.up();

    await toast(hers).getByText(TAKEN).waitFor();
    await cardOf(hers, 'Cleo Dragged', NOAH).waitFor();
    await column(hers, MIA)
      .getByRole('button', { name: /^Walk-in, 15:00/ })
      .waitFor();
    expect(await sameDocument(hers)).toBe(true);

    await toast(his).getByRole('button', { name: 'Undo' }).click();
    await until(async () => expect(await cardOf(hers, 'Walk-in', MIA).count()).toBe(0));
  });
});
