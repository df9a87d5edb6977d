import type { Page } from '@playwright/test';
import { dayAfter } from '../src/time/local';
import { weekdayOf } from '../src/time/local-day';
import { barriers } from './barriers';
import { atHome, freshPage, heading, inside } from './browser';
import { people, WILLOW } from './stack';
import { askedOnThePhone } from './telephone';
import { expect, test } from './test';

/** Waits until the page is drawn and no placeholder is left. */
async function still(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[role=status] [aria-hidden]').length === 0);
}

/** The first Monday after today, as a date field has it. */
function nextMonday(): string {
  const today = new Date().toISOString().slice(0, 10);
  return dayAfter(today, 8 - weekdayOf(today));
}

test.describe('in the light and in the dark', () => {
  for (const path of [
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password',
    '/reset-password?token=x',
    '/onboarding',
    '/onboarding/flow',
    '/onboarding/oauth-mock?state=x',
    '/privacy',
    '/debug',
    '/demo',
    '/nowhere',
  ]) {
    test(`${path} is accessible`, async () => {
      const page = await freshPage();
      await page.goto(path);
      await still(page);
      expect(await barriers(page)).toEqual([]);
    });
  }

  test('allowing access to a calendar is accessible', async () => {
    const page = await freshPage({ as: people.manager });
    await page.goto('/onboarding/flow');
    await heading(page, 'Allow access').waitFor();
    await still(page);
    expect(await barriers(page)).toEqual([]);
  });

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
      await page.getByRole('dialog').getByRole('link', { name: 'Open its page' }).waitFor();
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
    test(`the pages of a business are accessible, ${width} wide`, async () => {
      test.setTimeout(120_000);
      const page = await freshPage({ as: people.owner, width });
      for (const path of [
        `/${WILLOW}/calls`,
        `/${WILLOW}/customers`,
        `/${WILLOW}/customers/import`,
        `/${WILLOW}/items`,
        `/${WILLOW}/items/import`,
        `/${WILLOW}/services`,
        `/${WILLOW}/members`,
        `/${WILLOW}/details`,
        `/${WILLOW}/details?tab=hours`,
        `/${WILLOW}/details?tab=team`,
        `/${WILLOW}/details?tab=agent`,
        `/${WILLOW}/details?tab=integrations`,
        `/${WILLOW}/details?tab=audit`,
        '/my/businesses',
        '/my/account',
        '/admin',
      ]) {
        await page.goto(path);
        await inside(page);
        await still(page);
        expect([path, width, await barriers(page)]).toEqual([path, width, []]);
      }
      await page.goto(`/${WILLOW}`);
      await page.locator(`a[href^="/${WILLOW}/appointments/"]`).first().click();
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('heading', { name: 'History' }).waitFor();
      await still(page);
      expect(['drawer', await barriers(page)]).toEqual(['drawer', []]);
      await drawer.getByRole('link', { name: 'Open its page' }).click();
      await page
        .getByRole('heading', { name: 'Other visits' })
        .or(page.getByRole('heading', { name: 'History' }))
        .first()
        .waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
      await page.goto(`/${WILLOW}/customers`);
      await page.locator(`a[href^="/${WILLOW}/customers/"]:not([href$="/import"])`).first().click();
      await page.getByRole('heading', { name: 'Notes' }).waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
      await page.goto(`/${WILLOW}/calls`);
      await page.locator(`a[href^="/${WILLOW}/calls/"]`).first().click();
      await page.getByRole('heading', { name: 'Conversation' }).waitFor();
      await still(page);
      expect(await barriers(page)).toEqual([]);
    });
  }

  for (const width of [1280, 390]) {
    test(`the pages of administrators are accessible, ${width} wide`, async () => {
      const page = await freshPage({ as: people.admin, width });
      const setup = `/admin/businesses/create?business=${WILLOW}`;
      const steps = ['details', 'hours', 'team', 'services', 'owner', 'phone'].map(
        (step) => `${setup}&step=${step}`,
      );
      for (const path of [
        '/admin',
        '/admin/biz',
        '/admin/businesses',
        '/admin/businesses/create',
        `/admin/appointment-sync?business=${WILLOW}`,
        `/admin/saloniq-consistency?business=${WILLOW}`,
        `/admin/provider-sync?business=${WILLOW}`,
        `/admin/provider-availability?business=${WILLOW}`,
        `/admin/provider-credentials/${WILLOW}`,
        '/admin/employee-management',
        ...steps,
      ]) {
        await page.goto(path);
        await inside(page);
        await still(page);
        expect([path, width, await barriers(page)]).toEqual([path, width, []]);
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

  for (const name of [/^Account of/, /^Business:/]) {
    test(`the menu ${name} is accessible`, async () => {
      const page = await atHome(people.owner);
      await page.getByRole('button', { name }).click();
      await page.getByRole('menu').waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  }

  test('/components is accessible', async () => {
    const page = await freshPage();
    await page.goto('/components');
    // Skeletons are part of what it shows.
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await barriers(page)).toEqual([]);
  });

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

  test('the pages of an administrator are accessible', async () => {
    const page = await freshPage({ as: people.admin });
    for (const path of [
      '/admin',
      '/admin/businesses',
      '/admin/schedule',
      '/admin/dependencies',
      '/admin/service-intelligence',
      '/admin/insights',
      '/admin/event-tracking',
      `/admin/dependencies?business=${WILLOW}`,
    ]) {
      await page.goto(path);
      await inside(page);
      await still(page);
      expect([path, await barriers(page)]).toEqual([path, []]);
    }
  });
});
