import { dayAfter } from '../src/time/local';
import { freshPage, inside } from './browser';
import { column } from './quiet-day';
import { dayOf } from './salon';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

test('an employee is renamed, leaves, is no longer booked, and comes back', async () => {
  const mark = crypto.randomUUID().slice(0, 6);
  const [wrong, name] = [`Lina Vogle ${mark}`, `Lina Vogel ${mark}`];
  const today = dayOf(new Date());
  const page = await freshPage({ as: people.owner });
  await page.goto(`/${WILLOW}/details?tab=team`);
  await inside(page);
  await page.getByRole('button', { name: 'Add employee' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(wrong);
  await page.getByRole('dialog').getByRole('button', { name: 'Add employee' }).click();
  const here = page.getByRole('list', { name: 'Employees' });
  await here.getByText(wrong).waitFor();
  const added = here.getByRole('listitem').filter({ hasText: wrong });
  await added.getByText('Can’t be booked: no weekly hours yet.').waitFor();
  await added.getByRole('link', { name: `Choose services of ${wrong}` }).waitFor();

  await page.getByRole('button', { name: `Edit ${wrong}` }).click();
  const dialog = page.getByRole('dialog', { name: `Edit ${wrong}` });
  await dialog.getByLabel('Name').fill(' ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await here.getByText(name).waitFor();
  await expect(here.getByText(wrong)).toHaveCount(0);

  const leave = async (lastDay: string) => {
    await page.getByRole('button', { name: `Edit ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Edit ${name}` });
    await dialog.getByLabel('Last day (optional)').fill(lastDay);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  // An employee who leaves later is here until then.
  await leave(dayAfter(today, 10));
  await here
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByText(/^Leaves after/)
    .waitFor();
  await page.goto(`/${WILLOW}/schedule?date=${dayAfter(today, 9)}`);
  await column(page, name).waitFor();
  await page.goto(`/${WILLOW}/schedule?date=${dayAfter(today, 11)}`);
  await column(page, 'Mia Larsen').waitFor();
  await expect(column(page, name)).toHaveCount(0);

  await page.goto(`/${WILLOW}/details?tab=team`);
  await leave(dayAfter(today, -1));
  const former = page.getByRole('list', { name: 'No longer here' });
  await former.getByText(name).waitFor();
  await expect(here.getByText(name)).toHaveCount(0);
  await leave('');
  await page.getByText(`${name} stays in the team.`).waitFor();
  await here.getByText(name).waitFor();
  await expect(former.getByText(name)).toHaveCount(0);
  // Out of the way of other journeys.
  await leave(dayAfter(today, -1));
  await former.getByText(name).waitFor();
});
