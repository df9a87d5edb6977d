import { CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
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
  await row.getByText('Nothing published', { exact: true }).waitFor();
  const greeting = `Hello ${crypto.randomUUID().slice(0, 8)}.`;
  await page.getByRole('textbox', { name: 'Greeting' }).fill(greeting);
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByRole('button', { name: 'Publish the draft' }).click();
  await row.getByText(/^Version \d+ not published$/).waitFor();
  await row.getByText(/does not take the API key/).waitFor();

  await page.getByRole('button', { name: `New secret of ${line}` }).click();
  const rotate = page.getByRole('dialog', { name: `New secret of ${line}` });
  await rotate.getByLabel('Server secret').fill('vapi_secret_1');
  await rotate.getByLabel(/^API key/).fill(vapi.key);
  await rotate.getByRole('button', { name: 'Replace the secret' }).click();
  await row.getByText(/^Version \d+ is live$/).waitFor();
  expect(vapi.assistant.firstMessage).toBe(greeting);
  expect(vapi.assistant.model.tools).toHaveLength(12);

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
  await page.getByText(/no call came of it/).waitFor();
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
