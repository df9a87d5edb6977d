import { freshPage, heading } from './browser';
import { expect, test } from './test';

const STEPS = 17;

test.describe('the demonstration', () => {
  test('plays by itself, and is led by keys and buttons to the booking', async () => {
    const page = await freshPage();
    await page.goto('/demo');
    await heading(page, 'See a call become a booking').waitFor();
    const said = page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');
    await said.nth(1).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const before = await said.count();
    await page.keyboard.press('ArrowRight');
    expect(await said.count()).toBe(before + 1);
    await page.keyboard.press('ArrowLeft');
    expect(await said.count()).toBe(before);
    for (let step = before; step < STEPS; step += 1)
      await page.getByRole('button', { name: 'Next step' }).click();
    expect(await said.count()).toBe(STEPS);
    const mia = page.getByRole('list', { name: 'Visits with Mia' });
    await mia.getByRole('listitem').filter({ hasText: 'Ana' }).waitFor();
    expect(await page.getByRole('button', { name: 'Next step' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Play again' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect(await mia.getByRole('listitem').count()).toBe(3);
  });

  test('stands still where little motion is wanted', async () => {
    const page = await freshPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/demo');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next step' }).click();
    expect(await page.getByRole('list', { name: 'Conversation' }).getByRole('listitem').count()).toBe(2);
  });
});
