import { freshPage, heading } from './browser';
import { expect, test } from './test';

test.describe('the component library', () => {
  for (const path of ['/components', '/admin/components']) {
    test(`is public at ${path}, in light and dark`, async () => {
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
  }
});
