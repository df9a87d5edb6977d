import { CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { type AgentSettings, AgentSettingsService } from '../src/gen/frontdesk/tenancy/v1/agent_settings_pb';
import { VoiceConnectionService, VoicePlatform } from '../src/gen/frontdesk/tenancy/v1/voice_connection_pb';
import { signedIn } from './browser';
import { READY_WITHIN_MS, type Stop, startStack } from './local';
import { RestClient } from './rest';
import { people, secondPlace, WILLOW, WORKER } from './stack';
import { expect, test } from './test';
import { until } from './until';
import { Vapi } from './vapi';

const place = secondPlace(WORKER);
const vapi = new Vapi('vapi_key_1');
let stop: Stop | undefined;

test.beforeAll(async () => {
  test.setTimeout(2 * READY_WITHIN_MS);
  stop = await startStack(place, await vapi.environment());
});

test.afterAll(async () => {
  test.setTimeout(2 * READY_WITHIN_MS);
  await stop?.();
  vapi.close();
});

test('what is published is brought to a platform, compared, put right, and its webhook tested', async () => {
  test.setTimeout(120_000);
  const page = await signedIn(people.owner, { at: place.url });
  await page.goto(`/${WILLOW}/agent`);
  const line = `Line ${crypto.randomUUID().slice(0, 8)}`;
  await page.getByRole('button', { name: 'Connect a platform' }).click();
  const connect = page.getByRole('dialog', { name: 'Connect a voice platform' });
  await connect.getByLabel('Platform', { exact: true }).selectOption({ label: 'Vapi' });
  await connect.getByLabel('Name of the line').fill(line);
  await connect.getByLabel('Server secret').fill('vapi_secret_1');
  await connect.getByLabel(/^API key/).fill('vapi_key_0');
  await connect.getByLabel(/^Assistant id/).fill('assistant_1');
  await connect.getByRole('button', { name: 'Connect', exact: true }).click();
  await connect.waitFor({ state: 'detached' });

  const row = page
    .getByRole('list', { name: 'On the platforms' })
    .getByRole('listitem')
    .filter({ hasText: line });
  // What is published already is brought there at once, with a key that the platform does not take.
  await row.getByText(/^Version \d+ not published$/).waitFor();
  await page.getByText('The draft says the same.').waitFor();
  // The draft is not published past changes that are not saved.
  const publish = page.getByRole('button', { name: 'Publish the draft' });
  await page.getByRole('textbox', { name: 'Greeting' }).fill('Hello?');
  await page.getByText('Save the draft before you publish it.').waitFor();
  await expect(publish).toHaveCount(0);
  const greeting = `Hello ${crypto.randomUUID().slice(0, 8)}.`;
  await page.getByRole('textbox', { name: 'Greeting' }).fill(greeting);
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  await row.getByText(/^Version \d+ not published$/).waitFor();
  await row.getByText(/does not take the API key/).waitFor();

  await page.getByRole('button', { name: `New secret or key of ${line}` }).click();
  const rotate = page.getByRole('dialog', { name: `New secret or key of ${line}` });
  await rotate.getByLabel(/^API key/).fill(vapi.key);
  await rotate.getByRole('button', { name: 'Replace' }).click();
  await row.getByText(/^Version \d+ is live$/).waitFor();
  expect(vapi.assistant.firstMessage).toBe(greeting);
  expect(vapi.assistant.model.tools).toHaveLength(12);
  await page.getByLabel(/^Number to pass callers on to/).fill('020 7946 0018');
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  await until(async () => expect(vapi.assistant.model.tools).toHaveLength(13));
  const ofNumber = { type: 'number', number: '+442079460018' };
  expect(vapi.assistant.model.tools?.at(-1)).toMatchObject({
    type: 'transferCall',
    destinations: [ofNumber],
  });
  await row.getByText(/^Version \d+ is live$/).waitFor();

  vapi.assistant = { ...vapi.assistant, firstMessage: 'Yo' };
  await row.getByRole('button', { name: /^Compare now/ }).click();
  await row.getByText('Changed there', { exact: true }).waitFor();
  await row.getByText(/^The greeting at Vapi differs/).waitFor();
  await row.getByRole('button', { name: /^Publish again/ }).click();
  await row.getByText(/^Version \d+ is live$/).waitFor();
  expect(vapi.assistant.firstMessage).toBe(greeting);

  const client = await RestClient.as(people.owner, place.url);
  const calls = () => client.call(CallService.method.listCalls, { businessId: WILLOW, pageSize: 20 });
  const before = (await calls()).calls.length;
  await page.getByRole('button', { name: `Send a test through ${line}` }).click();
  await page.getByText('Accepted', { exact: true }).waitFor();
  await page.getByText(/the list of calls stays as it is/).waitFor();
  expect((await calls()).calls).toHaveLength(before);

  await page.getByRole('button', { name: `Edit ${line}` }).click();
  const edit = page.getByRole('dialog', { name: `Edit ${line}` });
  await edit.getByLabel(/^Voice/).fill('burt');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText(/must be a provider and its voice/).waitFor();
  await edit.getByLabel(/^Voice/).fill('11labs:burt');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  await row.getByText(/^Version \d+ is live$/).waitFor();
});

test('a call of which no webhook told is found at the platform, and read with its waits', async () => {
  test.setTimeout(120_000);
  const page = await signedIn(people.owner, { at: place.url });
  await page.goto(`/${WILLOW}/agent`);
  const line = `Line ${crypto.randomUUID().slice(0, 8)}`;
  await page.getByRole('button', { name: 'Connect a platform' }).click();
  const connect = page.getByRole('dialog', { name: 'Connect a voice platform' });
  await connect.getByLabel('Platform', { exact: true }).selectOption({ label: 'Vapi' });
  await connect.getByLabel('Name of the line').fill(line);
  await connect.getByLabel('Server secret').fill('vapi_secret_1');
  await connect.getByLabel(/^API key/).fill(vapi.key);
  const said = `zw${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
  vapi.calls = [missed(said)];
  await connect.getByLabel(/^Assistant id/).fill(vapi.assistant.id);
  await connect.getByRole('button', { name: 'Connect', exact: true }).click();
  await connect.waitFor({ state: 'detached' });

  const row = page
    .getByRole('list', { name: 'On the platforms' })
    .getByRole('listitem')
    .filter({ hasText: line });
  await until(async () => {
    await page.reload();
    await row.getByText(/1 call that no webhook told of in full was added/).waitFor({ timeout: 2_000 });
  }, 45_000);
  await page.goto(`/${WILLOW}/calls?words=${said}`);
  // Another line of the same assistant may have it as well.
  await page.locator(`main a[href^="/${WILLOW}/calls/"]`).first().click();
  const conversation = page.getByRole('list', { name: 'Conversation' });
  await conversation.getByText('answered after 640 ms').waitFor();
  await conversation.getByText(/^Cut short: .+ spoke here$/).waitFor();
});

test('a live call is taken over by a person, and its page says who and where it went on', async () => {
  test.setTimeout(120_000);
  const owner = await RestClient.as(people.owner, place.url);
  const settings = { transferPhone: '+442079460018' };
  const { draft } = await owner.call(AgentSettingsService.method.getAgentSettings, { businessId: WILLOW });
  const publish = async (change: object) => {
    await owner.call(AgentSettingsService.method.saveAgentDraft, {
      businessId: WILLOW,
      settings: { ...draft, ...change } as AgentSettings,
    });
    await owner.call(AgentSettingsService.method.publishAgentSettings, { businessId: WILLOW });
  };
  await publish({ transferPhone: '' });
  const { voiceConnection } = await owner.call(VoiceConnectionService.method.createVoiceConnection, {
    businessId: WILLOW,
    platform: VoicePlatform.VAPI,
    label: 'Take over',
    secret: 'vapi_secret_2',
    apiKey: vapi.key,
  });
  const id = `call-${crypto.randomUUID()}`;
  vapi.live(id);
  const deliver = async (message: object) => {
    const answer = await fetch(`${place.url}/api/webhooks/voice/vapi/${voiceConnection?.id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer vapi_secret_2' },
      body: JSON.stringify({ message }),
    });
    expect(answer.ok).toBe(true);
  };
  const call = { id, type: 'inboundPhoneCall', customer: { number: '+447700900987' } };
  await deliver({ type: 'status-update', status: 'in-progress', call });

  const page = await signedIn(people.employee, { at: place.url });
  await page.goto(`/${WILLOW}/calls`);
  // Who calls is not recognised yet, and may be a customer of other employees.
  await page
    .getByRole('main')
    .getByRole('link', { name: /Number hidden/ })
    .first()
    .click();
  const card = page.getByRole('region', { name: 'Take over' });
  await card.getByText(/has no number to pass callers on to/).waitFor();
  await card.getByText(/An owner can enter one/).waitFor();
  expect(await card.getByRole('button').count()).toBe(0);

  await publish(settings);
  await page.reload();
  await card.getByText(/7946 0018 rings, and the agent says no more/).waitFor();
  await card.getByRole('button', { name: /^Take the call over/ }).click();
  await card.getByText('The caller is being put through.').waitFor();
  expect(vapi.commands).toEqual([
    { type: 'transfer', destination: { type: 'number', number: '+442079460018' } },
  ]);

  await deliver({
    type: 'end-of-call-report',
    endedReason: 'assistant-forwarded-call',
    endedAt: new Date().toISOString(),
    call: { ...call, destination: { type: 'number', number: '+442079460018' } },
  });
  await card.waitFor({ state: 'detached' });
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByText('Put through to', { exact: true }).waitFor();
  await details
    .getByText(/7946 0018/)
    .first()
    .waitFor();
  await details.getByText('Taken over by', { exact: true }).waitFor();
  await details.getByText(/^You at /).waitFor();
  await page.getByRole('main').getByText('Transferred', { exact: true }).waitFor();
});

/** A call as Vapi's API has it, over for longer than webhooks are waited for. */
function missed(said: string) {
  const now = Date.now();
  const ago = (seconds: number) => new Date(now - 1000 * seconds).toISOString();
  const spoke = (role: string, message: string, from: number, to: number) => ({
    role,
    message,
    secondsFromStart: from,
    time: now - 600_000 + 1000 * from,
    endTime: now - 600_000 + 1000 * to,
  });
  return {
    id: `call-${said}`,
    assistantId: vapi.assistant.id,
    type: 'inboundPhoneCall',
    status: 'ended',
    createdAt: ago(600),
    startedAt: ago(600),
    endedAt: ago(300),
    endedReason: 'customer-ended-call',
    customer: { number: '+447700900123' },
    artifact: {
      messages: [
        spoke('user', `A ${said}, please`, 1, 2),
        spoke('bot', 'I have ten, eleven,', 2.64, 6),
        spoke('user', 'Ten', 5, 6.5),
      ],
    },
  };
}
