import { barriers } from './barriers';
import { atHome, freshPage, inside } from './browser';
import { nextMonday } from './salon';
import { people, WILLOW } from './stack';
import { still } from './still';
import { expect, test } from './test';

test.describe('in the light and in the dark', () => {
  for (const width of [1280, 390]) {
    test(`the schedule is accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.owner, width });
      await page.goto(`/${WILLOW}/schedule`);
      await inside(page);
      // A working day has visits.
      await page.getByLabel('Date', { exact: true }).fill(nextMonday());
      const visit = page.getByRole('button', { name: /Booked/ }).first();
      await visit.waitFor();
      expect([width, await barriers(page)]).toEqual([width, []]);
      await page.getByRole('button', { name: /^More for this day/ }).click();
      await page.getByRole('menuitem').first().waitFor();
      expect([width, 'menu', await barriers(page)]).toEqual([width, 'menu', []]);
      await page.keyboard.press('Escape');
      await visit.click();
      await page.getByRole('dialog').getByRole('link', { name: 'Open full page' }).waitFor();
      expect([width, 'visit', await barriers(page)]).toEqual([width, 'visit', []]);
    });
  }

  for (const width of [1280, 390]) {
    test(`the tools of a day are accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.owner, width });
      await page.goto(`/${WILLOW}/schedule?date=${nextMonday()}`);
      await inside(page);
      await page
        .getByRole('button', { name: /Booked/ })
        .first()
        .waitFor();
      for (const [key, name] of [
        ['/', 'Search'],
        ['y', 'Why not?'],
        ['b', 'Block time'],
        ['?', 'Keyboard shortcuts'],
        ['w', 'Waitlist'],
        ['x', 'Conflicts'],
        ['o', 'Optimise day'],
        // Asked for by its address, it stands on a day that has none as well.
        ['', 'To be moved'],
      ] as const) {
        if (key) await page.keyboard.press(key);
        else await page.goto(`/${WILLOW}/schedule?date=${nextMonday()}&panel=stranded`);
        const tool = page.getByRole('dialog', { name }).or(page.getByRole('complementary', { name }));
        await tool.waitFor();
        if (key === 'y') {
          await tool.getByLabel('Service', { exact: true }).selectOption({ index: 1 });
          await tool.getByText(/^This time (can’t be booked|is free)/).waitFor();
        }
        expect([name, width, await barriers(page)]).toEqual([name, width, []]);
        await page.keyboard.press('Escape');
        await tool.waitFor({ state: 'detached' });
      }
    });
  }

  for (const width of [1280, 390]) {
    test(`the home of a business is accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.owner, width });
      await page.goto(`/${WILLOW}`);
      await inside(page);
      for (const part of ['At work', 'Free times today', 'Calls', 'Calendars'])
        await page.getByRole('region', { name: part, exact: true }).waitFor();
      await still(page);
      expect([width, await barriers(page)]).toEqual([width, []]);
    });
  }

  for (const width of [1280, 390]) {
    test(`live calls are accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.employee, width });
      const call = {
        id: '01900000-0000-7000-8005-000000000001',
        state: 'CALL_STATE_LIVE',
        fromNumber: '+447700900999',
        startedAt: new Date().toISOString(),
      };
      const turns = [{ speaker: 'SPEAKER_AGENT', text: 'Good morning! How can I help?' }];
      // The stack has no live call: the answers are mocked.
      await page.route('**/calls?*', (route) => route.fulfill({ json: { calls: [call] } }));
      await page.route(`**/calls/${call.id}`, (route) => route.fulfill({ json: { call, turns } }));
      await page.goto(`/${WILLOW}/waitlist`);
      await inside(page);
      await still(page);
      const bar = page.getByRole('region', { name: 'Calls on the line' });
      await bar.getByText('Agent: “Good morning! How can I help?”').waitFor();
      expect([width, await barriers(page)]).toEqual([width, []]);
      await bar.getByRole('button', { name: 'Fold the calls' }).click();
      await bar.getByText('1 call on the line').waitFor();
      expect([width, 'folded', await barriers(page)]).toEqual([width, 'folded', []]);
    });
  }

  for (const width of [1280, 390]) {
    test(`the inbox and the waitlist are accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.owner, width });
      for (const path of [`/${WILLOW}/inbox`, `/${WILLOW}/waitlist`]) {
        await page.goto(path);
        await inside(page);
        await still(page);
        expect([path, width, await barriers(page)]).toEqual([path, width, []]);
      }
    });
  }

  for (const width of [1280, 390]) {
    test(`booking is accessible, ${width} wide`, async () => {
      const page = await atHome(people.employee, { width });
      await page.getByRole('button', { name: 'New booking' }).click();
      const dialog = page.getByRole('dialog', { name: 'New booking' });
      await dialog.getByRole('combobox', { name: 'Customer' }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await dialog.getByLabel('Service', { exact: true }).selectOption({ label: 'Blow dry' });
      await dialog.getByLabel('Length', { exact: true }).selectOption({ label: '1 h' });
      await dialog.getByRole('button', { name: 'The day after' }).click();
      const offer = dialog.getByRole('button', { name: / with / }).first();
      await offer.waitFor();
      expect(await barriers(page)).toEqual([]);
      await offer.click();
      await dialog.getByText('Held for you').waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  }
});
