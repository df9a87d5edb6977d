import type { Locator, Page } from '@playwright/test';
import { ItemService } from '../src/gen/frontdesk/tenancy/v1/item_pb';
import { enter, freshPage } from './browser';
import { stopClock } from './page-clock';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';
import { bookedVisit } from './visit';

const ofSession = (page: Page) => page.getByRole('region', { name: 'Session notifications' });
const ofShell = (page: Page) => page.getByRole('region', { name: 'Notifications', exact: true });

/** How far a box is from the edges of the window. */
async function edges(
  element: Locator,
): Promise<{ top: number; right: number; bottom: number; left: number }> {
  await element.waitFor();
  return element.evaluate((node) => {
    const { top, right, bottom, left } = node.getBoundingClientRect();
    return { top, right: window.innerWidth - right, bottom: window.innerHeight - bottom, left };
  });
}

/** The names of the buttons and fields in front that a toast lies over. */
const covered = (said: Locator) =>
  said.evaluate((text) => {
    const region = text.closest('section') as HTMLElement;
    const toast = region.getBoundingClientRect();
    const front = region.closest('dialog') ?? document.body;
    return [...front.querySelectorAll('button, input, select, textarea, summary')]
      .filter((control) => {
        const { top, right, bottom, left, width } = control.getBoundingClientRect();
        const isBeside = left < toast.right && toast.left < right;
        return width > 0 && !region.contains(control) && isBeside && top < toast.bottom && toast.top < bottom;
      })
      .map((control) => control.getAttribute('aria-label') ?? control.textContent ?? control.tagName);
  });

/** Waits until a toast is where it covers none of them: dialogs move while they open and close. */
const coversNone = (said: Locator) => until(async () => expect(await covered(said)).toEqual([]));

/** Sign-ins while the server is out of reach: they fail at once and count against no account. */
async function failToSignIn(page: Page, times: number): Promise<void> {
  await page.route('**/api/auth/login', (route) => route.abort());
  await page.goto('/login');
  for (let time = 0; time < times; time += 1) {
    const failed = page.waitForEvent('requestfailed');
    await enter(page, people.owner);
    await failed;
    await page.getByRole('button', { name: 'Sign in', exact: true, disabled: false }).waitFor();
  }
}

test.describe('toasts of the session', () => {
  test('stand at the bottom right', async () => {
    const page = await freshPage();
    await failToSignIn(page, 1);
    const { top, right, bottom, left } = await edges(ofSession(page).getByRole('paragraph'));
    expect(bottom).toBeLessThan(top);
    expect(right).toBeLessThan(left);
  });

  for (const width of [390, 1024])
    test(`cover no button and no field, ${width} pixels wide`, async () => {
      const page = await freshPage({ width });
      await page.setViewportSize({ width, height: 640 });
      await failToSignIn(page, 3);
      await coversNone(ofSession(page).getByRole('paragraph').last());
    });

  test('are three at most, and go after 4 s', async () => {
    const page = await freshPage();
    await stopClock(page);
    await failToSignIn(page, 4);
    const said = ofSession(page).getByRole('paragraph');
    await until(async () => expect(await said.count()).toBe(3));
    await page.clock.runFor(4000);
    await until(async () => expect(await said.count()).toBe(0));
  });

  test('stay for all of the 4 s', async () => {
    const page = await freshPage();
    await stopClock(page);
    await failToSignIn(page, 1);
    const said = ofSession(page).getByRole('paragraph');
    await said.waitFor();
    await page.clock.runFor(3999);
    expect(await said.count()).toBe(1);
    await page.clock.runFor(1);
    await said.waitFor({ state: 'detached' });
  });
});

/** Cancels a visit of its own, which the shell then tells of. */
async function cancelled(page: Page, appointmentId: string): Promise<void> {
  await page.goto(`/${WILLOW}/appointments/${appointmentId}`);
  await page.getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await ofShell(page)
    .getByText(/^Cancelled: /)
    .waitFor();
}

test.describe('toasts of the shell', () => {
  test('stand at the top right, one at a time, and go when dismissed', async () => {
    const client = await RestClient.as(people.owner);
    const page = await freshPage({ as: people.owner });
    await cancelled(page, await bookedVisit(client));
    const said = ofShell(page).getByRole('paragraph');
    const { top, right, bottom, left } = await edges(said);
    expect(top).toBeLessThan(bottom);
    expect(right).toBeLessThan(left);
    expect(await said.count()).toBe(1);
    await ofShell(page).getByRole('button', { name: 'Dismiss' }).click();
    await said.waitFor({ state: 'detached' });
  });

  test('keep their side over a dialog, and leave a drawer free', async () => {
    const client = await RestClient.as(people.owner);
    const page = await freshPage({ as: people.owner });
    await page.goto(`/${WILLOW}?visit=${await bookedVisit(client)}`);
    const drawer = page.getByRole('dialog').first();
    await drawer.getByRole('button', { name: 'Cancel appointment' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel this appointment?' });
    await question.waitFor();
    await stopClock(page);
    await question.getByRole('button', { name: 'Cancel appointment' }).click();
    const said = ofShell(page)
      .getByText(/^Cancelled: /)
      .locator('xpath=ancestor::section[1]/*[1]');
    await until(async () => {
      expect(await page.getByRole('dialog').count()).toBe(1);
      const [toast, panel] = [await said.boundingBox(), await drawer.boundingBox()];
      expect((panel?.x ?? 0) - ((toast?.x ?? 0) + (toast?.width ?? 0))).toBe(16);
      expect(toast?.y).toBe(72);
    });
    await page.keyboard.press('Escape');
    await until(async () => expect((await edges(said)).right).toBe(16));
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await until(async () => {
      const { top, right, bottom } = await edges(said);
      expect([top < bottom, right]).toEqual([true, 16]);
    });
    await coversNone(said);
  });

  for (const width of [390, 1024, 1280])
    test(`cover no button and no field, ${width} pixels wide`, async () => {
      const client = await RestClient.as(people.owner);
      const page = await freshPage({ as: people.owner, width });
      await page.goto(`/${WILLOW}?visit=${await bookedVisit(client)}`);
      const drawer = page.getByRole('dialog').first();
      await drawer.getByRole('button', { name: 'Cancel appointment' }).click();
      const question = page.getByRole('dialog', { name: 'Cancel this appointment?' });
      await question.getByRole('button', { name: 'Cancel appointment' }).click();
      await question.waitFor({ state: 'detached' });
      const said = ofShell(page).getByRole('paragraph');
      await coversNone(said);
      await cancelled(page, await bookedVisit(client));
      await coversNone(said);
      const details = { name: `Foils ${crypto.randomUUID().slice(0, 8)}` };
      const { item } = await client.call(ItemService.method.createItem, { businessId: WILLOW, details });
      await page.goto(`/${WILLOW}/items/${item?.id}`);
      await page.getByRole('button', { name: 'Archive' }).click();
      // Where it would begin, there is what is pressed next.
      await page.getByRole('button', { name: 'Put back on the list' }).waitFor();
      await coversNone(said);
      await page.route('**/api/v1/me:rename', (route) =>
        route.fulfill({ status: 409, json: { code: 9, message: 'Not today, and not for a while yet.' } }),
      );
      await page.goto('/my/account');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Olivia Today');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await coversNone(said);
    });

  test('make room for the next one', async () => {
    const page = await freshPage({ as: people.owner });
    await page.goto('/my/account');
    const field = page.getByRole('textbox', { name: 'Name', exact: true });
    const said = ofShell(page).getByRole('paragraph');
    for (const message of ['Not today.', 'Not tomorrow either.']) {
      // Nothing is changed: the door never hears of it.
      await page.route('**/api/v1/me:rename', (route) =>
        route.fulfill({ status: 409, json: { code: 9, message } }),
      );
      await field.fill(`Olivia ${message}`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await ofShell(page).getByText(message, { exact: true }).waitFor();
      expect(await said.allTextContents()).toEqual([message]);
    }
  });

  test('go by themselves after 5 s', async () => {
    const client = await RestClient.as(people.owner);
    const appointmentId = await bookedVisit(client);
    const page = await freshPage({ as: people.owner });
    await page.clock.install();
    await cancelled(page, appointmentId);
    await page.mouse.move(10, 500);
    await page.clock.fastForward(5000);
    await ofShell(page).getByRole('paragraph').waitFor({ state: 'detached' });
  });
});
