import type { Locator, Page } from '@playwright/test';
import { atHome } from './browser';
import { NOAH, SERVICE, useOwnDay } from './own-day';
import { placeOf, toast } from './quiet-day';
import { people } from './stack';
import { expect, test } from './test';

const TUESDAY = 2;
/** Of another month, whatever day it is. */
const day = useOwnDay(TUESDAY, 40);

/** What a receptionist with a caller on the line has patience for. */
const MOST_CLICKS = 6;

type Counted = Window & { clicks: number };

/** Counts the clicks on a page from now on. */
async function counted(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const here = window as unknown as Counted;
    here.clicks = 0;
    addEventListener('click', ({ isTrusted }) => isTrusted && here.clicks++, { capture: true });
  });
  return () => page.evaluate(() => (window as unknown as Counted).clicks);
}

/** Moves the visit of an open panel to the first time that is offered. */
async function movedFrom(drawer: Locator, customer: string): Promise<void> {
  const page = drawer.page();
  await drawer.getByRole('button', { name: 'Move…' }).click();
  await page
    .getByRole('dialog', { name: 'Another time' })
    .getByRole('list', { name: 'Free times' })
    .getByRole('button')
    .first()
    .click();
  await toast(page)
    .getByText(new RegExp(`^Moved ${customer} to `))
    .waitFor();
}

test.describe('a visit of another month is found by the last four digits and moved in six clicks at most', () => {
  test('from the search', async () => {
    const id = await day.book('Dina Digits', day.noah, '11:00', '+447700904811');
    const page = await atHome(people.manager);
    const clicks = await counted(page);
    await page.getByRole('button', { name: 'Search' }).click();
    const search = page.getByRole('dialog', { name: 'Search' });
    await search.getByRole('combobox').fill('4811');
    await search
      .getByRole('option', { name: new RegExp(`11:00 with ${NOAH}.*Dina Digits · ${SERVICE}`, 's') })
      .click();
    await movedFrom(page.getByRole('dialog', { name: 'Dina Digits' }), 'Dina Digits');
    expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    expect((await placeOf(day.client, id)).seconds).not.toBe(day.at('11:00').getTime() / 1000);
  });

  test('from the customers', async () => {
    const id = await day.book('Dora Digits', day.noah, '14:00', '+447700904812');
    const page = await atHome(people.manager);
    const clicks = await counted(page);
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Customers', exact: true })
      .click();
    await page.getByLabel('Search customers').click();
    await page.keyboard.type('4812');
    await page.getByRole('link', { name: 'Dora Digits' }).click();
    await page.getByRole('list', { name: 'Upcoming' }).getByRole('link').click();
    await movedFrom(page.getByRole('dialog', { name: 'Dora Digits' }), 'Dora Digits');
    expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    expect((await placeOf(day.client, id)).seconds).not.toBe(day.at('14:00').getTime() / 1000);
  });
});
