import { atHome, freshPage, heading, inside } from './browser';
import { NOAH, SERVICE, useOwnDay } from './own-day';
import { placeOf, toast } from './quiet-day';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const THURSDAY = 4;
const day = useOwnDay(THURSDAY, 40);

test('a visit weeks ahead is found by the last four digits, and moved', async () => {
  const id = await day.book('Dora December', day.noah, '11:00', '+447700904711');
  const page = await atHome(people.manager);
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('combobox').fill('4711');
  await dialog
    .getByRole('option', { name: /^Dora December/ })
    .first()
    .waitFor();
  await dialog
    .getByRole('option', { name: new RegExp(`11:00 with ${NOAH}.*Dora December · ${SERVICE}`, 's') })
    .click();
  const drawer = page.getByRole('dialog', { name: 'Dora December' });
  await drawer.getByRole('button', { name: 'Move…' }).click();
  const times = page.getByRole('dialog', { name: 'Another time' });
  await times
    .getByRole('button', { name: /^\d{1,2}:\d{2}/ })
    .first()
    .click();
  await toast(page)
    .getByText(/^Moved Dora December to /)
    .waitFor();
  const { seconds } = await placeOf(day.client, id);
  expect(seconds).not.toBe(day.at('11:00').getTime() / 1000);
});

test('a day, a page and an employee are a few letters away', async () => {
  const page = await atHome(people.owner);
  const dialog = page.getByRole('dialog', { name: 'Search' });
  for (const [typed, option, path] of [
    ['2026-12-24', /^Thu,? 24 Dec/, '/schedule?date=2026-12-24'],
    ['waitl', /^Waitlist/, '/waitlist'],
    ['noah', /^Noah Adeyemi/, '/schedule?employee='],
    ['beard', /^Beard trim/, '/schedule?service='],
  ] as const) {
    await page.keyboard.press('/');
    await dialog.getByRole('combobox').fill(typed);
    await dialog.getByRole('option', { name: option }).first().click();
    await page.waitForURL((url) => `${url.pathname}${url.search}`.includes(path));
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.waitForURL((url) => url.pathname === `/${WILLOW}`);
    await heading(page, 'Next appointments').waitFor();
  }
});

test('a visit is found by its customer’s name and its day, in any order', async () => {
  await day.book('Silvia Dated', day.noah, '13:00');
  const page = await atHome(people.employee);
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  const found = dialog.getByRole('option', {
    name: new RegExp(`13:00 with ${NOAH}.*Silvia Dated · ${SERVICE}`, 's'),
  });
  const [year = '', month = '', dayOfMonth = ''] = day.date.split('-');
  for (const typed of [`Silvia D ${day.date}`, `${dayOfMonth}.${month}.${year} silvia dated`]) {
    await dialog.getByRole('combobox').fill(typed);
    await expect(dialog.getByRole('option').first()).toHaveText(/Silvia Dated/);
    await expect(found).toHaveCount(1);
  }
  await found.click();
  await page.getByRole('dialog', { name: 'Silvia Dated' }).waitFor();
});

test('letters typed before the search is there are in its field', async () => {
  const page = await freshPage({ as: people.owner });
  let arrive = () => {};
  const typed = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/search-dialog/, async (route) => {
    await typed;
    await route.continue();
  });
  await page.goto(`/${WILLOW}`);
  await inside(page);
  await page.getByRole('button', { name: 'Search' }).waitFor();
  await page.keyboard.type('/waitlx');
  await page.keyboard.press('Backspace');
  arrive();
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await expect(dialog.getByRole('combobox')).toHaveValue('waitl');
  await expect(dialog.getByRole('combobox')).toBeFocused();
  await dialog.getByRole('option', { name: /^Waitlist/ }).waitFor();
  await page.keyboard.type('i');
  await expect(dialog.getByRole('combobox')).toHaveValue('waitli');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/${WILLOW}/waitlist`);
});

test('arrows keep what they highlight in sight', async () => {
  const page = await atHome(people.owner);
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('combobox').fill('a');
  const options = dialog.getByRole('option');
  await expect(options.first()).toHaveAttribute('data-highlighted', '');
  await dialog.getByText('Searching…').waitFor({ state: 'detached' });
  // Around the beginning, to the last.
  await page.keyboard.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('data-highlighted', '');
  await expect(options.last()).toBeInViewport({ ratio: 0.9 });
  await page.keyboard.press('ArrowDown');
  await expect(options.first()).toBeInViewport({ ratio: 0.9 });
});

test('nothing found is said, with what was typed', async () => {
  const page = await atHome(people.owner);
  await page.getByRole('button', { name: 'Search' }).click();
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('combobox').fill('zzyzx');
  await dialog.getByText('Nothing found for “zzyzx”.').waitFor();
  expect(await toast(page).getByText(/./).count()).toBe(0);
});

test('Escape leaves the search where it was begun', async () => {
  const page = await atHome(people.owner);
  const begin = page.getByRole('link', { name: 'All calls' });
  for (const key of ['/', 'Control+k', '?']) {
    await begin.focus();
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name: key === '?' ? 'Keyboard shortcuts' : 'Search' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect(begin).toBeFocused();
  }
});

test('the shortcuts of a page are listed', async () => {
  const page = await atHome(people.owner);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Undo the latest change').waitFor();
  await dialog.getByText('New booking').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // At 200 % they are longer than the screen, and begin at their beginning.
  await page.setViewportSize({ width: 720, height: 450 });
  await page.keyboard.press('?');
  await expect(dialog.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeInViewport({ ratio: 1 });
});
