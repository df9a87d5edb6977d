import type { Page } from '@playwright/test';
import { type Call, CallOutcome, CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { paths } from '../src/paths';
import { atHome, heading, inside } from './browser';
import { playCall } from './local';
import { RestClient } from './rest';
import { BASE_URL, DATA, people, WILLOW } from './stack';
import { longCall } from './telephone';
import { expect, test } from './test';
import { until } from './until';

async function newestCall(client: RestClient): Promise<Call | undefined> {
  return (await client.call(CallService.method.listCalls, { businessId: WILLOW, pageSize: 1 })).calls[0];
}

/** The conversation is played at the pace it was spoken. */
const CONVERSATION_MS = 180_000;
/** The program that plays it begins by itself. */
const RUNG_WITHIN_MS = 60_000;

const barOf = (page: Page) => page.getByRole('region', { name: 'Calls on the line' });

/** The live call's bar on an unrelated page. */
async function barShows(call: Call): Promise<Page> {
  const page = await atHome(people.employee, { width: 390 });
  await page.goto(`/${WILLOW}/services`);
  await inside(page);
  const main = page.getByRole('main');
  await main.focus();
  const bar = barOf(page);
  await bar.getByText(/^(Agent|Caller): “.+”$|^(Add|Book|Keep|Kept|Look)[a-z]* .+( …|\.)$/).waitFor();
  await bar.getByText(/^(.+: )?Next: .+ · Last: .+/).waitFor();
  expect(
    await page
      .getByRole('status')
      .filter({ hasText: /^On the line: / })
      .count(),
  ).toBe(1);
  // The bar takes no focus from a text field and covers no navigation on a phone.
  expect(await main.evaluate((element) => element === document.activeElement)).toBe(true);
  const [foot, navigation] = await Promise.all(
    [bar, page.getByRole('navigation', { name: 'Main' })].map((part) => part.boundingBox()),
  );
  expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual((navigation?.y ?? 0) + 1);

  await bar.getByRole('button', { name: 'Fold the calls' }).press('Enter');
  await bar.getByText('1 call on the line').waitFor();
  expect(await bar.getByRole('link').count()).toBe(0);
  await bar.getByRole('button', { name: 'Show who is on the line' }).press('Enter');
  await bar.getByRole('link', { name: /^Open/ }).click();
  await page.waitForURL(`**/calls/${call.id}`);
  await heading(page, 'Conversation').waitFor();
  // The call's own page says it all.
  await bar.waitFor({ state: 'detached' });
  await page.goBack();
  await bar.waitFor();
  return page;
}

/** A booking for the caller, and how a reader who scrolls up comes back to the end of what is said. */
async function bookingBegins(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Conversation' }).waitFor();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^New booking/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'New booking' });
  await dialog
    .getByRole('heading', { name: 'Free times' })
    .or(dialog.getByText(/^Free /))
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  // The end stays in sight until the reader scrolls up, and again once they jump there.
  await page.setViewportSize({ width: 1280, height: 420 });
  const jump = page.getByRole('button', { name: 'Jump to live' });
  await until(async () => {
    await page.mouse.move(640, 300);
    await page.mouse.wheel(0, -600);
    expect(await jump.count()).toBe(1);
  }, RUNG_WITHIN_MS);
  await jump.press('Enter');
  await jump.waitFor({ state: 'detached' });
  await until(async () => expect(await belowTheScreen(page)).toBeLessThanOrEqual(0));
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** How far the end of the conversation is below the screen. */
const belowTheScreen = (page: Page) =>
  page.evaluate(() => {
    const list = document.querySelector('ol[aria-label="Conversation"]');
    return (list?.getBoundingClientRect().bottom ?? 0) - window.innerHeight;
  });

test.describe('a call that comes in', () => {
  test('shows in the open list by itself, then with all that was said, done and booked', async () => {
    test.setTimeout(CONVERSATION_MS);
    const client = await RestClient.as(people.owner);
    const before = await newestCall(client);
    const page = await atHome(people.owner);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calls' }).click();
    await page.getByText('Updates live').waitFor();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));

    const played = playCall({ url: BASE_URL, data: DATA });
    const call = await until(async () => {
      const newest = await newestCall(client);
      if (!newest || newest.id === before?.id) throw new Error('No new call is recorded.');
      return newest;
    }, RUNG_WITHIN_MS);
    const row = page.getByRole('main').locator(`a[href="/${WILLOW}/calls/${call.id}"]`);
    await row.waitFor();
    const desk = await barShows(call);

    await row.click();
    await heading(page, 'Conversation').waitFor();
    await bookingBegins(page);
    const conversation = page.getByRole('list', { name: 'Conversation' });
    await conversation.waitFor();
    await played;

    const recorded = await until(async () => {
      const answer = await client.call(CallService.method.getCall, { businessId: WILLOW, callId: call.id });
      expect(answer.call?.outcome).toBe(CallOutcome.BOOKED);
      return answer;
    });
    expect(recorded.turns.length).toBeGreaterThan(0);
    expect(recorded.toolCalls.length).toBeGreaterThan(0);
    await until(async () => {
      const entries = await conversation.locator(':scope > li').count();
      expect(entries).toBe(recorded.turns.length + recorded.toolCalls.length);
      const tools = conversation.getByRole('listitem').filter({ has: page.getByText('Raw data') });
      expect(await tools.filter({ hasText: /\d+ ms|\d\.\d s/ }).count()).toBe(recorded.toolCalls.length);
      expect(await page.getByText('On the line').count()).toBe(0);
    });
    // What the agent found out is told in words; the data behind it folds out.
    const searched = conversation.getByRole('listitem').filter({ hasText: /Looked for free times: .+/ });
    const asked = searched.getByRole('group', { name: 'Asked' });
    expect(await asked.isVisible()).toBe(false);
    await searched.getByText('Raw data').click();
    await asked.getByText(/"service"/).waitFor();
    const lastWords = recorded.turns.at(-1)?.text ?? '';
    await conversation.getByText(lastWords).first().waitFor();
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    await barOf(desk).waitFor({ state: 'detached' });

    const [appointmentId] = recorded.call?.appointmentIds ?? [];
    await page.locator(`a[href="/${WILLOW}/appointments/${appointmentId}"]`).click();
    await page.getByRole('button', { name: 'Cancel appointment' }).waitFor();
    await page.getByRole('link', { name: 'this call' }).waitFor();

    // And the customer's page leads back to what was said.
    await page.goto(paths.customer(WILLOW, recorded.call?.customerId ?? ''));
    const calls = page.getByRole('list', { name: 'Calls' });
    await calls.locator(`a[href="/${WILLOW}/calls/${call.id}"]`).click();
    await heading(page, 'Conversation').waitFor();
  });

  test('opens at its end; a reader who scrolls up stays, and is told what is new', async () => {
    const client = await RestClient.as(people.owner);
    const call = await longCall();
    try {
      for (let line = 1; line <= 12; line += 1) call.say(`Line ${line} of the call.`);
      await call.told();
      const id = (await newestCall(client))?.id ?? '';
      const page = await atHome(people.owner, { width: 1280 });
      await page.setViewportSize({ width: 1280, height: 420 });
      const jump = page.getByRole('button', { name: /^Jump to live/ });
      const atTheEnd = async (last: string) => {
        await page.getByRole('list', { name: 'Conversation' }).getByText(last).waitFor();
        await until(async () => {
          // The page is short until all of it is there.
          expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
          expect(await belowTheScreen(page)).toBeLessThanOrEqual(0);
        });
        expect(await jump.count()).toBe(0);
      };
      await page.goto(paths.call(WILLOW, id));
      await atTheEnd('Line 12 of the call.');
      // The router scrolls a page that it leads to up to its top.
      await page.goto(`/${WILLOW}/calls`);
      await page
        .getByRole('main')
        .locator(`a[href="${paths.call(WILLOW, id)}"]`)
        .click();
      await atTheEnd('Line 12 of the call.');
      call.say('Line 13 of the call.');
      await call.told();
      await atTheEnd('Line 13 of the call.');

      await page.getByRole('main').focus();
      await page.keyboard.press('Home');
      await jump.waitFor();
      call.say('Line 14 of the call.');
      call.say('Line 15 of the call.');
      await call.told();
      await page.getByRole('button', { name: 'Jump to live · 2 new', exact: true }).waitFor();
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await jump.press('Enter');
      await jump.waitFor({ state: 'detached' });
      await atTheEnd('Line 15 of the call.');
    } finally {
      await call.hangUp();
    }
  });
});
