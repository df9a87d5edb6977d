import type { Locator, Page } from '@playwright/test';
import { barriers } from './barriers';
import { freshPage, inside } from './browser';
import { useOwnDay } from './own-day';
import { people, WILLOW } from './stack';
import { still } from './still';
import { expect, test } from './test';

const FRIDAY = 5;
const day = useOwnDay(FRIDAY, 150);

/** Between the widest and the narrowest the colours and names are the same: only the room differs. */
const SCREENS = [
  { name: 'a desktop', width: 1280, height: 900, checked: true },
  { name: 'a tablet', width: 1024, height: 768, checked: false },
  { name: 'a laptop at 200 %', width: 720, height: 450, checked: false },
  { name: 'a phone', width: 390, height: 844, checked: true },
];
type Screen = (typeof SCREENS)[number];

/** What can be done with a visit, by its button, and the dialog that asks about it. */
const VISIT_DIALOGS = [
  ['Move…', 'Another time'],
  ['Another stylist…', 'Another stylist'],
  ['Services, notes…', 'Change the visit'],
  ['To the waitlist…', 'Put on the waitlist'],
  ['Cancel appointment', 'Cancel this appointment?'],
] as const;

async function pageOf(path: string, { width, height }: Screen): Promise<Page> {
  const page = await freshPage({ as: people.owner, width });
  await page.setViewportSize({ width, height });
  await page.goto(`/${WILLOW}${path}`);
  await inside(page);
  await still(page);
  return page;
}

/** Opens a dialog, finds it accessible and no wider than the screen, and leaves it by Escape. */
async function lookedAt(button: Locator, title: string, { checked }: Screen): Promise<void> {
  const page = button.page();
  await button.click();
  const dialog = page.getByRole('dialog', { name: title, exact: true });
  await dialog.waitFor();
  await still(page);
  if (checked) expect([title, await barriers(page)]).toEqual([title, []]);
  const isTooWide = await dialog.evaluate(
    (element) =>
      element.scrollWidth > element.clientWidth || document.documentElement.scrollWidth > innerWidth,
  );
  expect([title, isTooWide]).toEqual([title, false]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

for (const [index, screen] of SCREENS.entries()) {
  const clock = `${10 + index}:00`;
  const pass = screen.checked ? 'fit, are accessible' : 'fit';

  test(`on ${screen.name} the dialogs of a visit ${pass} and give the focus back`, async () => {
    test.setTimeout(120_000);
    const id = await day.book('Ada Access', day.mia, clock, '+447700904820');
    const page = await pageOf(`/appointments/${id}`, screen);
    for (const [name, title] of VISIT_DIALOGS) {
      const button = page.getByRole('button', { name, exact: true });
      await lookedAt(button, title, screen);
      await expect(button).toBeFocused();
    }
  });

  test(`on ${screen.name} the dialogs of a customer ${pass}`, async () => {
    test.setTimeout(120_000);
    const id = await day.book('Cleo Access', day.noah, clock, '+447700904821');
    const page = await pageOf(`/appointments/${id}`, screen);
    await page.getByRole('main').getByRole('link', { name: 'Cleo Access' }).first().click();
    await page.getByRole('heading', { name: 'Notes' }).waitFor();
    await still(page);
    if (screen.checked) expect(await barriers(page)).toEqual([]);
    await lookedAt(page.getByRole('button', { name: 'Edit customer' }), 'Edit Cleo Access', screen);
    const more = page.getByRole('button', { name: 'More for this customer' });
    const MERGE = 'Merge Cleo Access with another customer';
    const isPhone = screen.width < 600;
    expect(await more.count()).toBe(isPhone ? 1 : 0);
    if (isPhone) {
      await more.click();
      await expect(page.getByRole('menuitem')).toHaveText(['Merge…', 'Export…', 'Erase…', 'Changes']);
      expect(await barriers(page)).toEqual([]);
      await lookedAt(page.getByRole('menuitem', { name: 'Merge…' }), MERGE, screen);
      await expect(more).toBeFocused();
    } else {
      await lookedAt(page.getByRole('button', { name: 'Merge', exact: true }), MERGE, screen);
    }
  });
}
