import { describe, expect, it, vi } from 'vitest';
import { type Call, CallOutcome, CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { heading, signedIn, useBrowser } from './browser';
import { playDemoCall } from './demo-call';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';

/** From the record being there to its row being on the screen. */
const SEEN_WITHIN_MS = 2000;

useBrowser();

async function newestCall(client: RestClient): Promise<Call | undefined> {
  return (await client.call(CallService.method.listCalls, { businessId: WILLOW, pageSize: 1 })).calls[0];
}

/** The conversation is played at the pace it was spoken. */
const CONVERSATION_MS = 180_000;

describe('a call that comes in', () => {
  it(
    'shows in the open list within two seconds, then with all that was said, done and booked',
    async () => {
      const client = await RestClient.as(people.owner);
      const before = await newestCall(client);
      const page = await signedIn(people.owner);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calls' }).click();
      await page.getByText('Updates live').waitFor();
      await page.evaluate(() => Object.assign(window, { sameDocument: true }));

      const played = playDemoCall();
      const call = await vi.waitFor(
        async () => {
          const newest = await newestCall(client);
          if (!newest || newest.id === before?.id) throw new Error('No new call is recorded.');
          return newest;
        },
        { timeout: 30_000, interval: 50 },
      );
      const row = page.locator(`a[href="/${WILLOW}/calls/${call.id}"]`);
      await row.waitFor({ timeout: SEEN_WITHIN_MS });

      await row.click();
      await heading(page, 'Conversation').waitFor();
      const conversation = page.getByRole('list', { name: 'Conversation' });
      await conversation.waitFor();
      await played;

      const recorded = await vi.waitFor(
        async () => {
          const answer = await client.call(CallService.method.getCall, {
            businessId: WILLOW,
            callId: call.id,
          });
          expect(answer.call?.outcome).toBe(CallOutcome.BOOKED);
          return answer;
        },
        { timeout: 10_000, interval: 50 },
      );
      expect(recorded.turns.length).toBeGreaterThan(0);
      expect(recorded.toolCalls.length).toBeGreaterThan(0);
      await vi.waitFor(
        async () => {
          const entries = await conversation.locator(':scope > li').count();
          expect(entries).toBe(recorded.turns.length + recorded.toolCalls.length);
          expect(await conversation.getByText(/\d+ ms|\d\.\d s/).count()).toBe(recorded.toolCalls.length);
          expect(await page.getByText('On the line').count()).toBe(0);
        },
        { timeout: SEEN_WITHIN_MS, interval: 50 },
      );
      const lastWords = recorded.turns.at(-1)?.text ?? '';
      expect(await conversation.getByText(lastWords).first().isVisible()).toBe(true);
      expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

      const [appointmentId] = recorded.call?.appointmentIds ?? [];
      await page.locator(`a[href="/${WILLOW}/appointments/${appointmentId}"]`).click();
      await page.getByRole('button', { name: 'Cancel appointment' }).waitFor();
      await page.getByRole('link', { name: 'this call' }).waitFor();
    },
    CONVERSATION_MS,
  );
});
