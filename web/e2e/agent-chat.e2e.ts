import type { Page } from '@playwright/test';
import { AvailabilityService } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import { signedIn } from './browser';
import { READY_WITHIN_MS, type Stop, startStack } from './local';
import { RestClient } from './rest';
import { firstOffer, serviceNamed, startOf } from './salon';
import { type Answer, ScriptedModel } from './scripted-model';
import { people, secondPlace, WILLOW, WORKER } from './stack';
import { expect, test } from './test';
import { until } from './until';

const place = secondPlace(WORKER);
let stop: Stop | undefined;
/** The start that the model keeps, once the journey has found one. */
let wanted = '';
let hangs = true;

/** Says and does what each sentence of a journey needs. */
const model = new ScriptedModel(({ messages }, answer: Answer) => {
  const last = messages.at(-1);
  const text = last?.content ?? '';
  if (last?.role === 'tool') answer.say(JSON.parse(text).say).end();
  else if (text.includes('keep')) answer.use('hold_slot', { service: 'Blow dry', starts_at: wanted }).end();
  // Left open: it goes on talking until it is stopped.
  else if (text.includes('story')) answer.say('Once upon a time ');
  // Nothing at all comes.
  else if (text.includes('silent') && hangs) hangs = false;
  else answer.say(`You said: ${text}`).end();
});

test.beforeAll(async () => {
  test.setTimeout(2 * READY_WITHIN_MS);
  stop = await startStack(place, await model.environment());
});

test.afterAll(async () => {
  test.setTimeout(2 * READY_WITHIN_MS);
  await stop?.();
  model.close();
});

const chat = (page: Page) => page.getByRole('region', { name: 'Chat with the agent' });

async function say(page: Page, text: string): Promise<void> {
  await chat(page).getByLabel('What the caller says').fill(text);
  await chat(page).getByRole('button', { name: 'Say it' }).click();
}

test.describe('a chat with the agent', () => {
  test('runs on the draft, shows its tools, keeps no time, is stopped, and is tried again', async () => {
    test.setTimeout(120_000);
    const client = await RestClient.as(people.owner, place.url);
    const service = await serviceNamed(client, 'Blow dry');
    const items = [{ serviceId: service.id }];
    wanted = startOf(await firstOffer(client, items, 1)).toISOString();

    const page = await signedIn(people.owner, { at: place.url });
    await page.goto(`/${WILLOW}/agent`);
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Welcome to the draft of {{salon}}.');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText(/^Saved the draft/).waitFor();
    await page.getByRole('button', { name: 'Start a chat' }).click();
    await chat(page).getByText('Welcome to the draft of Willow & Co.').waitFor();

    await say(page, 'Please keep the first time');
    const keeping = chat(page).getByText('Kept a time free: Blow dry', { exact: true });
    await keeping.waitFor();
    await chat(page)
      .getByText(/^I'm keeping .* for you/)
      .last()
      .waitFor();
    await chat(page).getByText('Raw data').click();
    expect(await chat(page).getByRole('group', { name: 'Asked' }).textContent()).toContain('Blow dry');

    // The time that the chat keeps is free for everyone else.
    const start = new Date(wanted);
    const { offers } = await client.call(AvailabilityService.method.searchAvailability, {
      businessId: WILLOW,
      items,
      from: { seconds: BigInt(start.getTime() / 1000) },
      to: { seconds: BigInt(start.getTime() / 1000 + 60) },
    });
    expect(offers).toHaveLength(1);
    const { hold } = await client.call(AvailabilityService.method.createHold, {
      businessId: WILLOW,
      items,
      startsAt: { seconds: BigInt(start.getTime() / 1000) },
    });
    expect(hold).toBeDefined();

    await say(page, 'Tell me a story');
    await chat(page).getByText('Once upon a time').waitFor();
    await chat(page).getByRole('button', { name: 'Stop the agent' }).click();
    await chat(page).getByText('Once upon a time …').waitFor();
    await say(page, 'Go on');
    await chat(page).getByText('You said: Go on').waitFor();
    const told = model.asked.at(-1)?.messages.map(({ content }) => content) ?? [];
    expect(told).toContain('Once upon a time…');
    expect(told).toContain('Please keep the first time');

    // However much was said, the latest answer is in sight, until the reader scrolls back.
    const said = chat(page).getByRole('group', { name: 'What was said' });
    const below = () =>
      said.evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));
    expect(await said.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
    await until(async () => expect(await below()).toBeLessThan(5));
    await said.evaluate((box) => box.scrollTo({ top: 0 }));
    await say(page, 'And on');
    await chat(page).getByText('You said: And on').waitFor();
    await until(async () => expect(await below()).toBeLessThan(5));

    await say(page, 'Be silent');
    await chat(page)
      .getByRole('alert')
      .getByText(/^The language model gave no answer in time/)
      .waitFor({ timeout: 30_000 });
    await chat(page).getByRole('button', { name: 'Try again' }).click();
    await chat(page).getByText('You said: Be silent').waitFor();
    await expect(chat(page).getByRole('alert')).toHaveCount(0);
  });

  test('is the same for administrators, with what is published', async () => {
    const page = await signedIn(people.admin, { at: place.url });
    await page.goto(`/admin/businesses/${WILLOW}/agent-settings`);
    const published = page.getByRole('radio', { name: /^(Published version|Frontdesk’s default)/ });
    // The page may still be moving as it is pressed.
    await until(() => published.check({ force: true, timeout: 2000 }));
    await page.getByRole('button', { name: 'Start a chat' }).click();
    await chat(page)
      .getByText(/^Willow & Co, good day/)
      .waitFor();
    await say(page, 'Hello');
    await chat(page).getByText('You said: Hello').waitFor();
    await chat(page).getByRole('button', { name: 'End the chat' }).click();
    await page.getByRole('button', { name: 'Start a chat' }).waitFor();
  });
});
