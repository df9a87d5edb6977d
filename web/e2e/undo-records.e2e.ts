import type { Page } from '@playwright/test';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { CustomerNoteService } from '../src/gen/frontdesk/tenancy/v1/customer_note_pb';
import { FollowUpService } from '../src/gen/frontdesk/tenancy/v1/follow_up_pb';
import { freshPage, heading, inside } from './browser';
import { loseAnswer } from './lost-answer';
import { useOwnDay } from './own-day';
import { customerNamed, toast } from './quiet-day';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const THURSDAY = 4;
const day = useOwnDay(THURSDAY, 170);
let client: RestClient;

const newName = () => `Ulla Undone ${Date.now() % 1_000_000}`;

async function profile(id: string, name: string): Promise<Page> {
  const page = await freshPage({ as: people.employee });
  await page.goto(`/${WILLOW}/customers/${id}`);
  await inside(page);
  await heading(page, name).waitFor();
  return page;
}

const notesOf = (page: Page) => page.getByRole('list', { name: 'Notes', exact: true }).getByRole('listitem');

/** Out of a field, where the keys undo what was typed. */
async function undone(page: Page, said: string | RegExp): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Control+z');
  await toast(page).getByText(said).waitFor();
}

async function noted(page: Page, text: string): Promise<void> {
  await page.getByLabel('New note').fill(text);
  await page.getByRole('button', { name: 'Add note' }).click();
  await notesOf(page).filter({ hasText: text }).waitFor();
}

test.beforeAll(async () => {
  client = await RestClient.as(people.manager);
});

test('a note that was written, changed, pinned and deleted is taken back step by step', async () => {
  const name = newName();
  const page = await profile(await customerNamed(client, name), name);
  await noted(page, 'Allergic to nuts');
  await toast(page).getByText(`Noted about ${name}: Allergic to nuts`).waitFor();
  await page.getByRole('button', { name: 'Edit Allergic to nuts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit note' });
  await dialog.getByLabel('Note').fill('Allergic to walnuts');
  await dialog.getByRole('button', { name: 'Save note' }).click();
  await page.getByRole('button', { name: 'Pin Allergic to walnuts' }).click();
  await notesOf(page).getByText('Pinned').waitFor();
  await page.getByRole('button', { name: 'Delete Allergic to walnuts' }).click();
  await page.getByRole('button', { name: 'Delete note' }).click();
  await page.getByText('No notes yet.').waitFor();

  await undone(page, `The note about ${name} is back.`);
  await notesOf(page).getByText('Pinned').waitFor();
  await undone(page, `The note about ${name} is no longer pinned.`);
  await notesOf(page).getByText('Pinned').waitFor({ state: 'detached' });
  await undone(page, `The note about ${name} says what it said before.`);
  await notesOf(page).getByText('Allergic to nuts', { exact: true }).waitFor();
  await undone(page, `The note about ${name} is gone again.`);
  await page.getByText('No notes yet.').waitFor();
});

test('a note that a colleague changed since stays as the colleague left it', async () => {
  const name = newName();
  const customerId = await customerNamed(client, name);
  const page = await profile(customerId, name);
  await noted(page, 'Likes tea');
  const of = { businessId: WILLOW, customerId };
  const { notes } = await client.call(CustomerNoteService.method.listCustomerNotes, of);
  const noteId = notes[0]?.id ?? '';
  await client.call(CustomerNoteService.method.updateCustomerNote, { ...of, noteId, text: 'Likes coffee' });
  await notesOf(page).getByText('Likes coffee').waitFor();
  await undone(page, 'Not undone. Something was changed again since.');
  const { notes: left } = await client.call(CustomerNoteService.method.listCustomerNotes, of);
  expect(left.map(({ text }) => text)).toEqual(['Likes coffee']);
});

test('a patch test, a formula and an answer about advertising are taken back from their toasts', async () => {
  const name = newName();
  const page = await profile(await customerNamed(client, name), name);
  const undo = toast(page).getByRole('button', { name: 'Undo' });
  await page.getByRole('button', { name: 'Add patch test' }).click();
  const testing = page.getByRole('dialog', { name: 'Add patch test' });
  await testing.getByLabel('Service or product').fill('Full colour');
  await testing.getByRole('button', { name: 'Add patch test' }).click();
  await toast(page).getByText(`Added a patch test for ${name}: Full colour.`).waitFor();
  await page.getByRole('button', { name: 'Delete patch test of Full colour' }).click();
  await page.getByRole('button', { name: 'Delete patch test', exact: true }).click();
  await toast(page).getByText(`Deleted the patch test of ${name}: Full colour.`).waitFor();
  await undo.click();
  await toast(page).getByText(`The patch test of ${name} is back.`).waitFor();
  await page.getByRole('list', { name: 'Patch tests' }).getByText('Full colour').waitFor();
  await undone(page, `The patch test for ${name} is gone again.`);
  await page.getByText('No patch test on record.').waitFor();

  await page.getByRole('button', { name: 'Add formula' }).click();
  const mixing = page.getByRole('dialog', { name: 'Add formula' });
  await mixing.getByLabel('What was mixed').fill('6/0, 20 vol');
  await mixing.getByRole('button', { name: 'Add formula' }).click();
  await toast(page).getByText(`Added a formula for ${name}: 6/0, 20 vol`).waitFor();
  await undo.click();
  await toast(page).getByText(`The formula for ${name} is gone again.`).waitFor();
  await page.getByText('No formula on record.').waitFor();

  await page.getByRole('button', { name: 'Record agreement' }).click();
  await toast(page).getByText(`${name} agrees to receive advertising.`).waitFor();
  await undo.click();
  await toast(page).getByText(`The answer of ${name} is taken back.`).waitFor();
  await page.getByText('Not asked yet').waitFor();
});

test('a follow-up that was noted, assigned and done is taken back three times in a row', async () => {
  const text = `Order towels ${Date.now() % 1_000_000}`;
  const page = await freshPage({ as: people.employee });
  await page.goto(`/${WILLOW}/inbox`);
  await inside(page);
  await page.getByRole('button', { name: 'New follow-up' }).click();
  const noting = page.getByRole('dialog', { name: 'New follow-up' });
  await noting.getByLabel('What is to be done').fill(text);
  await noting.getByRole('button', { name: 'Add follow-up' }).click();
  await toast(page).getByText(`Noted for anyone: ${text}`).waitFor();
  const row = page.getByRole('listitem').filter({ hasText: text });
  await row.getByRole('button', { name: `Assign ${text}` }).click();
  const assigning = page.getByRole('dialog', { name: 'Who does it, and until when' });
  await assigning.getByLabel('Assigned to').selectOption({ label: 'Mia Larsen' });
  await assigning.getByRole('button', { name: 'Save' }).click();
  await toast(page).getByText(`Assigned to Mia Larsen: ${text}`).waitFor();
  await row.getByRole('button', { name: `Done ${text}` }).click();
  await toast(page).getByText(`Done: ${text}`).waitFor();

  await undone(page, `Open again: ${text}`);
  await row.getByText('Mia Larsen').waitFor();
  await undone(page, `As before: ${text}`);
  await row.getByText('For anyone').waitFor();
  await undone(page, `Taken back: ${text}`);
  await row.waitFor({ state: 'detached' });
  const { followUps } = await client.call(FollowUpService.method.listFollowUps, {
    businessId: WILLOW,
    pageSize: 200,
  });
  expect(followUps.filter((one) => one.text === text)).toEqual([]);
});

test('a change whose answer is lost on its way is done once, and offers its undo', async () => {
  const text = `Order wax ${Date.now() % 1_000_000}`;
  const { followUp } = await client.call(FollowUpService.method.createFollowUp, {
    businessId: WILLOW,
    text,
  });
  const page = await freshPage({ as: people.employee });
  await page.goto(`/${WILLOW}/inbox`);
  await inside(page);
  const undo = toast(page).getByRole('button', { name: 'Undo' });
  const row = page.getByRole('listitem').filter({ hasText: text });
  await loseAnswer(page, /follow-ups\/[^/]+:assign$/);
  await row.getByRole('button', { name: `Assign ${text}` }).click();
  const assigning = page.getByRole('dialog', { name: 'Who does it, and until when' });
  await assigning.getByLabel('Assigned to').selectOption({ label: 'Mia Larsen' });
  await assigning.getByRole('button', { name: 'Save' }).click();
  await toast(page).getByText(`Assigned to Mia Larsen: ${text}`).waitFor();
  await undo.click();
  await toast(page).getByText(`As before: ${text}`).waitFor();
  await row.getByText('For anyone').waitFor();

  await loseAnswer(page, /follow-ups\/[^/]+:complete$/);
  await row.getByRole('button', { name: `Done ${text}` }).click();
  await toast(page).getByText(`Done: ${text}`).waitFor();
  await undo.click();
  await toast(page).getByText(`Open again: ${text}`).waitFor();
  await row.waitFor();
  await client.call(FollowUpService.method.completeFollowUp, {
    businessId: WILLOW,
    followUpId: followUp?.id ?? '',
  });

  const name = newName();
  const customer = await profile(await customerNamed(client, name), name);
  await noted(customer, 'Likes tea');
  await loseAnswer(customer, /\/notes\/[^/]+$/);
  await customer.getByRole('button', { name: 'Delete Likes tea' }).click();
  await customer.getByRole('button', { name: 'Delete note' }).click();
  await toast(customer).getByText(`Deleted a note about ${name}.`).waitFor();
  // The undo's own answer is lost as well.
  await loseAnswer(customer, /record-changes\/[^/]+:undo$/);
  await toast(customer).getByRole('button', { name: 'Undo' }).click();
  await toast(customer).getByText(`The note about ${name} is back.`).waitFor();
  await notesOf(customer).getByText('Likes tea').waitFor();
});

test('a cancelled visit says who cancelled it and why, also once its way back was undone', async () => {
  const name = newName();
  const id = await day.book(name, day.mia, '10:00');
  const page = await day.page({}, `&visit=${id}`);
  const drawer = page.getByRole('dialog', { name });
  await drawer.getByRole('button', { name: 'Cancel appointment' }).click();
  const asking = page.getByRole('dialog', { name: 'Cancel this appointment?' });
  await asking.getByLabel('Reason').fill('Has a cold');
  await asking.getByRole('button', { name: 'Cancel appointment' }).click();
  const why = /^Cancelled by you, .*\. “Has a cold”$/;
  await drawer.getByText(why).waitFor();

  await drawer.getByRole('button', { name: 'Back to “Booked”' }).click();
  await toast(page)
    .getByText(new RegExp(`^${name} is booked again: .*10:00 with Mia Larsen\\.$`))
    .waitFor();
  await drawer.getByText(why).waitFor({ state: 'detached' });
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await toast(page).getByText(`${name} is cancelled again.`).waitFor();
  await drawer.getByText(why).waitFor();
  const read = await client.call(AppointmentService.method.getAppointment, {
    businessId: WILLOW,
    appointmentId: id,
  });
  expect(read.appointment?.state).toBe(AppointmentState.CANCELLED);
  expect(read.appointment?.cancellation?.reason).toBe('Has a cold');

  // The visit's own page, and the customer's, say so as well.
  await page.goto(`/${WILLOW}/appointments/${id}`);
  await page.getByRole('main').getByText(why).waitFor();
  await page.goto(`/${WILLOW}/customers/${read.appointment?.customerId}`);
  await page.getByRole('list', { name: 'Cancelled' }).getByText(why).waitFor();
});
