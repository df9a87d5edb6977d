import { dayAfter } from '../src/time/local';
import { barriers } from './barriers';
import { freshPage, heading, inside } from './browser';
import { nextMonday } from './salon';
import { people, WILLOW } from './stack';
import { still } from './still';
import { askedOnThePhone } from './telephone';
import { expect, test } from './test';

test.describe('in the light and in the dark', () => {
  for (const width of [1280, 390]) {
    test(`the pages of the catalogue are accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.manager, width });
      for (const path of ['services?tab=resources', 'dependencies', 'pairings', 'schedule-check']) {
        await page.goto(`/${WILLOW}/${path}`);
        await inside(page);
        await still(page);
        expect([path, width, await barriers(page)]).toEqual([path, width, []]);
      }
    });
  }

  for (const width of [1280, 390]) {
    test(`the form of a service is accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.manager, width });
      await page.goto(`/${WILLOW}/services`);
      await inside(page);
      await page.getByRole('button', { name: 'New service' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  }

  for (const [width, view, shown] of [
    [1280, 'charts', 'Bookings'],
    [390, 'charts', 'Bookings'],
    [1280, 'table', 'Unmet demand'],
  ] as const) {
    test(`service intelligence is accessible, ${width} wide, shown as ${view}`, async () => {
      const page = await freshPage({ as: people.manager, width });
      await askedOnThePhone('russian manicure');
      // The demo books from today on.
      const dates = `from=${nextMonday()}&to=${dayAfter(nextMonday(), 6)}`;
      await page.goto(`/${WILLOW}/intelligence?${dates}&view=${view}`);
      await inside(page);
      await heading(page, shown).waitFor();
      await page
        .getByRole('button', { name: /^Another service/ })
        .first()
        .click();
      await page.getByRole('combobox', { name: /^What/ }).fill('c');
      await page.getByRole('option').first().waitFor();
      await still(page);
      expect([view, width, await barriers(page)]).toEqual([view, width, []]);
    });
  }

  for (const [width, view] of [
    [1280, 'charts'],
    [390, 'charts'],
    [390, 'table'],
  ] as const) {
    test(`insights are accessible, ${width} wide, shown as ${view}`, async () => {
      const page = await freshPage({ as: people.manager, width });
      await askedOnThePhone('russian manicure');
      await page.goto(`/${WILLOW}/insights?view=${view}`);
      await inside(page);
      await heading(page, 'Why there was no booking').waitFor();
      await heading(page, 'Calls by day').waitFor();
      await still(page);
      expect([view, width, await barriers(page)]).toEqual([view, width, []]);
    });
  }

  for (const width of [1280, 390]) {
    test(`the calls with their filters are accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.manager, width });
      await askedOnThePhone('tattoo removal');
      await page.goto(`/${WILLOW}/calls?reason=NOT_OFFERED&state=ended`);
      await inside(page);
      await page.getByRole('button', { name: /^Filters/ }).click();
      await page.getByLabel('Outcome').waitFor();
      await page.locator(`a[href^="/${WILLOW}/calls/"]`).first().waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
      await page.locator(`a[href^="/${WILLOW}/calls/"]`).first().click();
      await heading(page, 'Notes').waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
    });
  }

  for (const width of [1280, 390]) {
    test(`the team is accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.manager, width });
      await page.goto(`/${WILLOW}/team?date=${nextMonday()}`);
      await inside(page);
      await page.getByRole('main').getByRole('link', { name: 'Mia Larsen' }).first().waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Add time off' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  }

  for (const width of [1280, 390]) {
    test(`the hours of an employee are accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.manager, width });
      await page.goto(`/${WILLOW}/team`);
      await inside(page);
      await page.getByRole('main').getByRole('link', { name: 'Mia Larsen' }).first().click();
      await page.getByRole('list', { name: 'Weeks' }).waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'New week' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  }
});
