import { describe, expect, it } from 'vitest';
import { heading, signedIn, useBrowser } from './browser';
import { people, SECOND, WILLOW } from './stack';

useBrowser();

describe('what each role sees', () => {
  it.each([people.owner, people.manager, people.employee])('%s works at the desk', async (email) => {
    const page = await signedIn(email);
    expect(new URL(page.url()).pathname).toBe(`/${WILLOW}`);
    for (const part of ['Next appointments', 'Calls', 'Opening hours']) await heading(page, part).waitFor();
    const main = page.getByRole('navigation', { name: 'Main' });
    const links = await main.getByRole('link').allTextContents();
    // The inbox tells how much there is to settle.
    expect(links.map((link) => link.replace(/\d.*/, ''))).toEqual([
      'Home',
      'Schedule',
      'Calls',
      'Inbox',
      'Waitlist',
      'Team',
      'Services',
      ...(email === people.owner ? ['Members'] : []),
      'Your businesses',
    ]);
    await page.goto('/admin');
    await heading(page, 'Access Restricted').waitFor();
    await page.getByText("You don't have permission to access this page.").waitFor();
  });

  it('a guest sees hours and services, and nobody’s data', async () => {
    const page = await signedIn(people.guest);
    await heading(page, 'Opening hours').waitFor();
    await heading(page, 'Services').waitFor();
    await page.getByText('Cut', { exact: false }).first().waitFor();
    expect(await heading(page, 'Next appointments').count()).toBe(0);
    const main = page.getByRole('navigation', { name: 'Main' });
    expect(await main.getByRole('link').allTextContents()).toEqual(['Home', 'Services', 'Your businesses']);
    await page.goto(`/${WILLOW}/calls`);
    await heading(page, 'Access Restricted').waitFor();
  });

  it('an administrator sees every business', async () => {
    const page = await signedIn(people.admin);
    expect(new URL(page.url()).pathname).toBe('/admin');
    await page.getByRole('main').getByRole('link', { name: 'Businesses', exact: true }).click();
    await heading(page, 'Businesses').waitFor();
    await page.getByRole('link', { name: 'Willow & Co' }).click();
    await page.waitForURL(`**/${WILLOW}`);
    await heading(page, 'Next appointments').waitFor();
    await page.goto(`/${SECOND}`);
    await heading(page, 'Opening hours').waitFor();
  });
});
