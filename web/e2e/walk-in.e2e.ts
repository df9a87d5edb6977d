import type { Page } from '@playwright/test';
import { timeOfDay } from '../src/time/zoned';
import { usePresentSalon, VISIT_MINUTES } from './present-salon';
import { toast } from './quiet-day';
import { LONDON } from './salon';
import { expect, test } from './test';

const MINUTE_MS = 60_000;
/** Both stylists are booked for so many visits, one after the other. */
const VISITS_IN_A_ROW = 4;
const salon = usePresentSalon();

test.beforeEach(() => test.skip(salon.isLate(), 'The visits no longer fit into today.'));

/** Until when both are booked: nothing fits in before. */
async function full(): Promise<Date> {
  const first = salon.at(0).getTime();
  for (const [name, employee] of [
    ['Rosa', salon.rosa],
    ['Theo', salon.theo],
  ] as const)
    for (let visit = 0; visit < VISITS_IN_A_ROW; visit += 1)
      await salon.book(
        `Fully ${name} ${visit}`,
        employee,
        new Date(first + visit * VISIT_MINUTES * MINUTE_MS),
      );
  return new Date(first + VISITS_IN_A_ROW * VISIT_MINUTES * MINUTE_MS);
}

async function walkIn(page: Page) {
  await page.getByRole('button', { name: 'Walk-in', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Walk-in' });
  await dialog.getByLabel('Service', { exact: true }).selectOption(salon.serviceId);
  return dialog;
}

const chosenService = (page: Page, title: string) =>
  page.getByRole('dialog', { name: title }).getByLabel('Service', { exact: true });

test('a walk-in begins with the customer whose page is open', async () => {
  const id = await salon.book('Wilma Walker', salon.rosa, salon.at(90));
  const { customerId } = await salon.visit(id);
  const page = await salon.page(`/customers/${customerId}`);
  await page.getByRole('heading', { level: 1, name: 'Wilma Walker' }).waitFor();
  const dialog = await walkIn(page);
  await dialog.getByText('Wilma Walker').first().waitFor();
  await dialog.getByRole('button', { name: 'Book now' }).click();
  await toast(page)
    .getByText(/^Wilma Walker is booked: Today, /)
    .waitFor();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await toast(page).getByText('Taken back. The time is free again.').waitFor();
  await salon.leave(id);
});

test('a walk-in who finds the salon full is offered the next time there is, a booking and the waitlist', async () => {
  const free = timeOfDay(await full(), LONDON);
  const page = await salon.page('/schedule');
  const dialog = await walkIn(page);
  await dialog
    .getByText(`Nothing is free within the hour. The next free time is today, ${free} with `)
    .waitFor();
  expect(await dialog.getByRole('button', { name: 'Book now' }).count()).toBe(0);

  await dialog.getByRole('button', { name: 'Add to the waitlist…' }).click();
  const waiting = chosenService(page, 'Add to the waitlist');
  await expect(waiting).toHaveValue(salon.serviceId);
  await page.keyboard.press('Escape');
  await waiting.waitFor({ state: 'detached' });

  const again = await walkIn(page);
  await again.getByRole('button', { name: 'Other times…' }).click();
  await expect(chosenService(page, 'New booking')).toHaveValue(salon.serviceId);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'New booking' }).waitFor({ state: 'detached' });

  const once = await walkIn(page);
  await once.getByRole('button', { name: `Book today, ${free}…` }).click();
  const booking = page.getByRole('dialog', { name: 'New booking' });
  await booking
    .getByRole('list', { name: 'Free times' })
    .getByRole('button')
    .filter({ hasText: `${free} – ` })
    .first()
    .click();
  await booking.getByText('Held for you').waitFor();
  await booking.getByRole('button', { name: 'Book', exact: true }).click();
  await toast(page)
    .getByText(new RegExp(`^Walk-in is booked: Today, ${free}`))
    .waitFor();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await toast(page).getByText('Taken back. The time is free again.').waitFor();
});
