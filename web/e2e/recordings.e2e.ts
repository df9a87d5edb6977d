import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { type AgentSettings, AgentSettingsService } from '../src/gen/frontdesk/tenancy/v1/agent_settings_pb';
import { freshPage, inside } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { saidOnThePhone } from './telephone';
import { expect, test } from './test';
import { until } from './until';

const RATE = 8000;
const SECONDS = 6;

/** A quiet tone, as a platform's file. */
function wav(): Buffer {
  const samples = Buffer.from(
    Array.from({ length: RATE * SECONDS }, (_, at) => 128 + Math.round(20 * Math.sin(at / 6))),
  );
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

let owner: RestClient;
let platform: Server;
let before: AgentSettings | undefined;
let address: string;

async function publish(settings: Partial<AgentSettings> | undefined) {
  const { draft } = await owner.call(AgentSettingsService.method.getAgentSettings, { businessId: WILLOW });
  await owner.call(AgentSettingsService.method.saveAgentDraft, {
    businessId: WILLOW,
    settings: { ...draft, ...settings } as AgentSettings,
  });
  await owner.call(AgentSettingsService.method.publishAgentSettings, { businessId: WILLOW });
  return draft;
}

test.beforeAll(async () => {
  owner = await RestClient.as(people.owner);
  before = await publish({
    recordsCalls: true,
    recordingNotice: 'This call is recorded.',
    recordingDays: 30,
  });
  platform = createServer((request, response) => {
    if (request.url === '/call.wav') response.end(wav());
    else response.writeHead(403).end();
  }).listen(0, '127.0.0.1');
  await until(async () => expect(platform.listening).toBe(true));
  address = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
});

test.afterAll(async () => {
  platform.close();
  await publish(before);
});

/** The page of a new call that says these words. */
async function callSaying(words: string, file: string): Promise<Page> {
  await saidOnThePhone(words, `${address}/${file}`);
  const page = await freshPage({ as: people.manager });
  const found = await until(async () => {
    const { calls } = await owner.call(CallService.method.listCalls, {
      businessId: WILLOW,
      filter: { words },
    });
    expect(calls).toHaveLength(1);
    return calls[0]?.id ?? '';
  });
  await page.goto(`/${WILLOW}/calls/${found}`);
  await inside(page);
  return page;
}

test.describe('recordings', () => {
  test('show up once they are copied, play, and the transcript follows', async () => {
    const words = `Hello zither z${crypto.randomUUID().slice(0, 8)}`;
    const page = await callSaying(words, 'call.wav');
    const card = page.getByRole('region', { name: 'Recording' });
    // Copied while the page is open.
    await card.getByRole('button', { name: /^Play \(48 KB\)/ }).click();
    const audio = card.getByLabel('Recording of the call');
    await audio.waitFor();
    await card.getByText(/^Kept until/).waitFor();
    // The keys of the button that was pressed work on.
    await until(async () =>
      expect(await audio.evaluate((element) => element === document.activeElement)).toBe(true),
    );
    expect(await audio.evaluate((element: HTMLAudioElement) => Math.round(element.duration))).toBe(SECONDS);
    const conversation = page.getByRole('list', { name: 'Conversation' });
    await conversation.getByRole('button', { name: 'Play from 0:02' }).click();
    await until(async () =>
      expect(await audio.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(2.4),
    );
    await expect(conversation.getByRole('listitem').filter({ hasText: words })).toHaveAttribute(
      'aria-current',
      'true',
    );
    await conversation.getByText('Willow & Co, how can I help?').click();
    await until(async () =>
      expect(await audio.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeLessThan(2.4),
    );
  });

  test('are read and played from what was said', async () => {
    const page = await callSaying(`Hello fife f${crypto.randomUUID().slice(0, 8)}`, 'call.wav');
    await page.getByRole('button', { name: 'Play from 0:02' }).click();
    const audio = page.getByLabel('Recording of the call');
    await audio.waitFor();
    await until(async () =>
      expect(await audio.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(2.4),
    );
  });

  test('that the platform does not give out say so', async () => {
    const page = await callSaying(`Hello kazoo k${crypto.randomUUID().slice(0, 8)}`, 'gone.wav');
    const card = page.getByRole('region', { name: 'Recording' });
    await card.getByText(/could not be copied from the phone platform: the platform answered 403/).waitFor();
  });
});
