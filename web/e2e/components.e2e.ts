import { describe, expect, it } from 'vitest';
import { freshPage, heading, useBrowser } from './browser';

useBrowser();

describe('the component library', () => {
  it.each(['/components', '/admin/components'])('is public at %s, in light and dark', async (path) => {
    const page = await freshPage();
    await page.goto(path);
    await heading(page, 'Components').waitFor();
    for (const part of ['Controls', 'Feedback', 'Records']) await heading(page, part).waitFor();
    await page.getByLabel('Colours').selectOption({ label: 'Dark' });
    await page.locator('html.dark').waitFor();
    await page.getByRole('button', { name: 'Open a form' }).click();
    await page.getByRole('dialog', { name: 'New resource' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'With a way back' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('It is back.').waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  });
});
