import { CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { freshPage, inside } from './browser';
import { toast } from './quiet-day';
import { RestClient } from './rest';
import { cancelled, dayOf, firstOffer, serviceNamed, startOf } from './salon';
import { people, WILLOW } from './stack';
import { saidOnThePhone } from './telephone';
import { expect, test } from './test';
import { until } from './until';

/** Beyond what the demo has booked. */
const QUIET_DAYS = 21;

/** A word that no other call has. */
const word = () => `zw${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;

async function callWith(said: string): Promise<string> {
  await saidOnThePhone(`I would like a ${said}, please`);
  const client = await RestClient.as(people.owner);
  return until(async () => {
    const { calls } = await client.call(CallService.method.listCalls, {
      businessId: WILLOW,
      filter: { words: said },
    });
    expect(calls).toHaveLength(1);
    return calls[0]?.id ?? '';
  });
}

test.describe('the calls', () => {
  test('are found by the beginning of a word, kept in the address, and saved as a view', async () => {
    const said = word();
    const id = await callWith(said);
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/calls`);
    await inside(page);
    await page.getByLabel('Search what was said').fill(said.slice(0, 10).toUpperCase());
    const row = page.locator(`a[href="/${WILLOW}/calls/${id}"]`);
    await until(async () => expect(await page.locator(`main a[href^="/${WILLOW}/calls/"]`).count()).toBe(1));
    await row.waitFor();
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByLabel('Outcome').selectOption({ label: 'Booked' });
    await page.getByText('No call matches').waitFor();
    await page.getByRole('button', { name: /^Booked: remove this filter|^Booked.*remove/ }).click();
    await row.waitFor();
    await page.reload();
    await row.waitFor();
    expect(await page.getByLabel('Search what was said').inputValue()).toBe(said.slice(0, 10).toUpperCase());

    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save these filters…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save these filters' });
    await dialog.getByLabel('Name of the view').fill(said);
    await dialog.getByRole('button', { name: 'Save the view' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`/${WILLOW}/calls`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: said }).click();
    await row.waitFor();
    await page.getByRole('button', { name: said }).click();
    await page.getByRole('menuitem', { name: `Delete “${said}”` }).click();
    await page.getByText(`Deleted the view ${said}.`).waitFor();
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+z');
    await page.getByText(`The view ${said} is there again.`).waitFor();
    // Nor need it be shown to be deleted.
    await page.goto(`/${WILLOW}/calls`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Delete a view…' }).click();
    const deleting = page.getByRole('dialog', { name: 'Delete a view' });
    await deleting.getByRole('button', { name: `Delete “${said}”` }).click();
    await page.getByText(`Deleted the view ${said}.`).waitFor();
    await deleting.waitFor({ state: 'detached' });
  });

  test('are not asked for dates that end before they begin', async () => {
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/calls?from=2026-11-30&to=2026-11-01`);
    await inside(page);
    await page.getByText('No calls for these dates').waitFor();
    await page.getByRole('button', { name: 'Remove the dates' }).click();
    await page.locator(`main a[href^="/${WILLOW}/calls/"]`).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('are exported by managers alone', async () => {
    const said = word();
    const id = await callWith(`=${said}`);
    const page = await freshPage({ as: people.manager });
    await page.goto(`/${WILLOW}/calls?words=${said}`);
    await inside(page);
    await page.locator(`a[href="/${WILLOW}/calls/${id}"]`).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('willow-co-calls-start-to-today.csv');
    const lines = (await (await download.createReadStream()).toArray()).join('').split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(id);
    const employee = await freshPage({ as: people.employee });
    await employee.goto(`/${WILLOW}/calls?words=${said}`);
    await employee.locator(`a[href="/${WILLOW}/calls/${id}"]`).waitFor();
    expect(await employee.getByRole('button', { name: 'Export' }).count()).toBe(0);
  });

  test('lead to a booking for who called', async () => {
    const id = await callWith(word());
    const client = await RestClient.as(people.employee);
    const service = await serviceNamed(client, 'Beard trim');
    const start = startOf(await firstOffer(client, [{ serviceId: service.id }], QUIET_DAYS));
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/calls/${id}`);
    await inside(page);
    await page.getByRole('button', { name: /^New booking for/ }).click();
    const dialog = page.getByRole('dialog', { name: 'New booking' });
    await dialog.getByLabel('Service', { exact: true }).selectOption({ label: service.name });
    await dialog.getByLabel('Day', { exact: true }).fill(dayOf(start));
    await dialog.getByRole('list', { name: 'Free times' }).getByRole('button').first().click();
    await dialog.getByText('Held for you').waitFor();
    await dialog.getByRole('button', { name: 'Book', exact: true }).click();
    await toast(page)
      .getByText(/ is booked: /)
      .waitFor();
    // The reader is still at the call.
    expect(new URL(page.url()).pathname).toBe(`/${WILLOW}/calls/${id}`);
    await toast(page).getByRole('button', { name: 'Open' }).click();
    await page.waitForURL(/\/appointments\//);
    await page.getByText(service.name).first().waitFor();
    await cancelled(client, new URL(page.url()).pathname.split('/').at(-1) ?? '');
  });

  test('carry notes and follow-ups with an owner and a due time', async () => {
    const said = word();
    const id = await callWith(said);
    const page = await freshPage({ as: people.employee });
    await page.goto(`/${WILLOW}/calls/${id}`);
    await inside(page);
    await page.getByLabel('New note').fill(`Wants ${said}`);
    await page.getByRole('button', { name: 'Add note' }).click();
    const notes = page.getByRole('list', { name: 'Notes about this call' });
    await notes.getByText(`Wants ${said}`, { exact: true }).waitFor();
    const written = await notes.getByText(/^You, /).innerText();

    await page.getByRole('button', { name: 'New follow-up' }).click();
    const dialog = page.getByRole('dialog', { name: 'New follow-up' });
    await dialog.getByLabel('What is to be done').fill(`Offer ${said}`);
    await dialog.getByRole('button', { name: 'Add follow-up' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(`Offer ${said}`, { exact: true }).first().waitFor();
    await page.getByRole('button', { name: `Done Offer ${said}` }).click();
    const done = page.getByRole('list', { name: 'Done' });
    await done.getByText(`Offer ${said}`, { exact: true }).first().waitFor();

    await notes.getByRole('button', { name: /^Delete the note/ }).click();
    await page.getByText('Deleted the note.').waitFor();
    const note = page.getByText(`Wants ${said}`, { exact: true });
    await note.waitFor({ state: 'detached' });
    // The same note, as it was written.
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await note.waitFor();
    expect(await notes.getByText(/^You, /).innerText()).toBe(written);
  });
});
