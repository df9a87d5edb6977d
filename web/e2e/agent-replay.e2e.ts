import type { Page } from '@playwright/test';
import { OpeningExceptionService } from '../src/gen/frontdesk/scheduling/v1/opening_exception_pb';
import { CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { dayAfter } from '../src/time/local';
import { signedIn } from './browser';
import { playCall, READY_WITHIN_MS, type Stop, startStack } from './local';
import { RestClient } from './rest';
import { nextMonday } from './salon';
import { type Answer, ScriptedModel } from './scripted-model';
import { people, secondPlace, WILLOW, WORKER } from './stack';
import { demoLine, LOOKS_UP, lookedUpOnThePhone, type Words } from './telephone';
import { expect, test } from './test';

const place = secondPlace(WORKER);
const client = () => RestClient.as(people.owner, place.url);
const DAY = dayAfter(nextMonday(), 70);
let stop: Stop | undefined;
/** The model goes on with its story until it is stopped. */
let endless = true;
/** Nothing at all comes of the farewell. */
let hangs = true;

const model = new ScriptedModel(({ messages }, answer: Answer) => {
  const last = messages.at(-1);
  const text = last?.content ?? '';
  if (last?.role === 'tool') answer.say(JSON.parse(text).say).end();
  else if (text.includes('open')) answer.use('opening_hours', { day: DAY }).end();
  else if (text.includes('story')) {
    answer.say('Once upon a time ');
    if (!endless) answer.say('there was a salon.').end();
  } else if (text.includes('goodbye')) {
    if (!hangs) answer.say('Goodbye!').end();
  } else answer.say(`You said: ${text}`).end();
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

/** A caller asks when the salon is open, breaks into a story, and says goodbye. */
const asked = (hours: string): Words[] => [
  { role: 'agent', content: 'Hello.', from: 0.2, to: 1 },
  { role: 'user', content: 'When are you open that day?', from: 25, to: 27 },
  { role: 'agent', content: hours, from: 29, to: 29.2 },
  { role: 'user', content: 'Tell me a story.', from: 29.3, to: 29.4 },
  { role: 'agent', content: 'Once upon a time', from: 29.5, to: 29.8 },
  { role: 'user', content: 'Enough, goodbye.', from: 29.7, to: 29.9 },
  { role: 'agent', content: 'Goodbye!', from: 29.9, to: 30 },
];

/** The newest call of all, or of a number: they are listed by their starts. */
async function newestCall(fromNumber = ''): Promise<string> {
  const { calls } = await (await client()).call(CallService.method.listCalls, {
    businessId: WILLOW,
    pageSize: 20,
  });
  return calls.find((call) => !fromNumber || call.fromNumber === fromNumber)?.id ?? '';
}

async function replayOf(page: Page, callId: string): Promise<void> {
  await page.goto(`/${WILLOW}/calls/${callId}`);
  await page.getByRole('link', { name: 'Replay it with the draft of the agent' }).click();
  await page.getByRole('list', { name: 'Exchanges of the call' }).waitFor();
}

/** What belongs to one thing that the caller said. */
const exchange = (page: Page, said: string) =>
  page.getByRole('list', { name: 'Exchanges of the call' }).locator(':scope > li').filter({ hasText: said });
const draftOf = (page: Page, said: string) =>
  exchange(page, said).getByRole('group', { name: 'What the draft does' });
const replaying = (page: Page, name = 'Replay it again') => page.getByRole('button', { name }).click();

test('a past call is replayed beside what happened, and nothing of it is stored', async () => {
  test.setTimeout(120_000);
  await playCall(place, '--fast');
  const call = await newestCall();
  const page = await signedIn(people.owner, { at: place.url });
  await replayOf(page, call);
  const happened = page.getByRole('group', { name: 'What happened' });
  const draft = page.getByRole('group', { name: 'What the draft does' });
  await expect(draft).toHaveCount(0);
  await replaying(page, 'Replay it with the draft');
  await draft.getByText('You said: Yes, please do.').waitFor({ timeout: 30_000 });
  await page.getByText('The replay is over.').waitFor();
  expect(await happened.count()).toBe(await draft.count());
  await page.getByText(/The call booked a visit, the draft books none\.$/).waitFor();
  await page.getByText('Does something else', { exact: true }).first().waitFor();
  // As of the call, the same times are free as were then, though it has booked one of them since.
  await expect(page.getByRole('list', { name: 'Changed since the call' })).toHaveCount(0);
  expect(await newestCall()).toBe(call);
  await page.getByRole('button', { name: 'Close the replay' }).click();
  await happened.first().waitFor({ state: 'detached' });
  await expect(page.getByRole('main')).toBeFocused();
});

test('a replay says what has changed since, is stopped, breaks off on a model that hangs, and ends', async () => {
  test.setTimeout(120_000);
  const line = await demoLine(place.url, place.data);
  await lookedUpOnThePhone(line, { name: 'opening_hours', args: { day: DAY } }, asked);
  const call = await newestCall(LOOKS_UP);
  await (await client()).call(OpeningExceptionService.method.addOpeningException, {
    businessId: WILLOW,
    firstDate: DAY,
    lastDate: DAY,
    label: 'Stocktaking',
  });

  const page = await signedIn(people.owner, { at: place.url });
  await replayOf(page, call);
  await exchange(page, 'Tell me a story.')
    .getByText(/^Cut short: /)
    .waitFor();
  await page.getByText(/Where the caller broke in, the replay lets the draft finish\.$/).waitFor();
  await replaying(page, 'Replay it with the draft');
  const changed = page.getByRole('list', { name: 'Changed since the call' });
  await changed.getByText('Opening hours', { exact: true }).waitFor();
  await changed.getByText(/^In the call: “.*9/).waitFor();
  await changed.getByText(/^Today: “.*closed/i).waitFor();

  // The same look-up in both, with another result.
  const hours = exchange(page, 'When are you open that day?');
  await expect(hours.getByText(/^Looked up the opening hours/)).toHaveCount(2);
  await draftOf(page, 'Tell me a story.').getByText('Once upon a time').waitFor();
  await hours.getByText('Another result', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop the replay' }).click();
  await page.getByText('You stopped the replay.').waitFor();
  await draftOf(page, 'Tell me a story.').getByText('Once upon a time …').waitFor();
  await draftOf(page, 'Enough, goodbye.').getByText('Not reached.').waitFor();

  endless = false;
  await replaying(page);
  await page
    .getByRole('alert')
    .getByText(/^The language model gave no answer in time\. The replay ended here/)
    .waitFor({ timeout: 30_000 });
  await exchange(page, 'Tell me a story.').getByText('The same', { exact: true }).waitFor();

  hangs = false;
  await replaying(page);
  await page.getByText('The replay is over.').waitFor();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await exchange(page, 'Enough, goodbye.').getByText('The same', { exact: true }).waitFor();
  await page.getByText(/^4 answers: 2 the same, 1 in other words and 1 with another result\./).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await newestCall(LOOKS_UP)).toBe(call);
});
