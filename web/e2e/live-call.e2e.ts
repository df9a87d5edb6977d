import { describe, expect, it } from 'vitest';
import { type Call, CallOutcome, CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { atHome, heading, useBrowser } from './browser';
import { playDemoCall } from './demo-call';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { until } from './until';

useBrowser();

async function newestCall(client: RestClient): Promise<Call | undefined> {
  return (await client.call(CallService.method.listCalls, { businessId: WILLOW, pageSize: 1 })).calls[0];
}

/** The conversation is played at the pace it was spoken. */
const CONVERSATION_MS = 180_000;
/** The program that plays it begins by itself. */
const RUNG_WITHIN_MS = 60_000;

describe('a call that comes in', () => {
  it(
    'shows in the open list by itself, then with all that was said, done and booked',
    async () => {
      const client = await RestClient.as(people.owner);
      const before = await newestCall(client);
      const page = await atHome(people.owner);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calls' }).click();
      await page.getByText('Updates live').waitFor();
      await page.evaluate(() => Object.assign(window, { sameDocument: true }));

      const played = playDemoCall();
      const call = await until(async () => {
        const newest = await newestCall(client);
        if (!newest || newest.id === before?.id) throw new Error('No new call is recorded.');
        return newest;
      }, RUNG_WITHIN_MS);
      const row = page.locator(`a[href="/${WILLOW}/calls/${call.id}"]`);
      await row.waitFor();

      await row.click();
      await heading(page, 'Conversation').waitFor();
      const conversation = page.getByRole('list', { name: 'Conversation' });
      await conversation.waitFor();
      await played;

      const recorded = await until(async () => {
        const answer = await client.call(CallService.method.getCall, { businessId: WILLOW, callId: call.id });
        expect(answer.call?.outcome).toBe(CallOutcome.BOOKED);
        return answer;
      });
      expect(recorded.turns.length).toBeGreaterThan(0);
      expect(recorded.toolCalls.length).toBeGreaterThan(0);
      await until(async () => {
        const entries = await conversation.locator(':scope > li').count();
        expect(entries).toBe(recorded.turns.length + recorded.toolCalls.length);
        expect(await conversation.getByText(/\d+ ms|\d\.\d s/).count()).toBe(recorded.toolCalls.length);
        expect(await page.getByText('On the line').count()).toBe(0);
      });
      const lastWords = recorded.turns.at(-1)?.text ?? '';
      await conversation.getByText(lastWords).first().waitFor();
      expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

      const [appointmentId] = recorded.call?.appointmentIds ?? [];
      await page.locator(`a[href="/${WILLOW}/appointments/${appointmentId}"]`).click();
      await page.getByRole('button', { name: 'Cancel appointment' }).waitFor();
      await page.getByRole('link', { name: 'this call' }).waitFor();
    },
    CONVERSATION_MS,
  );
});
