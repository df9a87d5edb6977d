import { CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { atHome, inside } from './browser';
import { playCall } from './local';
import { RestClient } from './rest';
import { BASE_URL, DATA, people, WILLOW } from './stack';
import { expect, test } from './test';

for (const platform of ['retell', 'vapi', 'twilio', 'elevenlabs']) {
  test(`a call over ${platform} appears on an open list and can be read`, async () => {
    const page = await atHome(people.owner);
    await page.goto(`/${WILLOW}/calls`);
    await inside(page);
    await playCall({ url: BASE_URL, data: DATA }, '--fast', '--platform', platform);
    const client = await RestClient.as(people.owner);
    const { calls } = await client.call(CallService.method.listCalls, { businessId: WILLOW, pageSize: 20 });
    const call = calls.find((one) => one.platform === platform);
    expect(call).toBeDefined();
    const link = page.getByRole('main').getByRole('link');
    await link
      .and(page.locator(`[href$="/calls/${call?.id}"]`))
      .first()
      .click();
    const conversation = page.getByRole('list', { name: 'Conversation' });
    await conversation.getByText('Yes, please do.').waitFor();
    await conversation
      .getByText(/You're booked/)
      .first()
      .waitFor();
  });
}
