import { describe, expect, it, vi } from 'vitest';
import { type NotedEvents, ProductEvents } from './product-events';

function setUp() {
  const sent: NotedEvents[] = [];
  const state = { signedIn: true, now: 1000 };
  const send = vi.fn(async (events: NotedEvents) => {
    sent.push(events);
  });
  const events = new ProductEvents({
    tabId: 'tab-1',
    signedIn: () => state.signedIn,
    now: () => state.now,
    send,
  });
  return { events, sent, state, send };
}

describe('what people do', () => {
  it('is sent by business, with how long ago it was, once', async () => {
    const { events, sent, state } = setUp();
    events.note('PAGE_OPENED', 'b1', '/:businessId/calls');
    state.now = 3500;
    events.note('FILE_EXPORTED', 'b2', '/:businessId/calls', 'calls');
    await events.flush();
    await events.flush();
    const opened = { type: 'PRODUCT_EVENT_TYPE_PAGE_OPENED', detail: '', ageMs: 2500 };
    expect(sent).toEqual([
      {
        businessId: 'b1',
        tabId: 'tab-1',
        events: [{ ...opened, schemaVersion: 1, page: '/:businessId/calls' }],
      },
      {
        businessId: 'b2',
        tabId: 'tab-1',
        events: [
          {
            type: 'PRODUCT_EVENT_TYPE_FILE_EXPORTED',
            schemaVersion: 1,
            page: '/:businessId/calls',
            detail: 'calls',
            ageMs: 0,
          },
        ],
      },
    ]);
  });

  it('waits for a session, holds no more than is taken, and is lost where it does not arrive', async () => {
    const { events, sent, state, send } = setUp();
    state.signedIn = false;
    for (let n = 0; n < 50; n += 1) events.note('PAGE_OPENED', 'b1', '/:businessId');
    await events.flush();
    expect(sent).toEqual([]);
    state.signedIn = true;
    await events.flush();
    expect(sent[0]?.events).toHaveLength(40);
    send.mockRejectedValueOnce(new Error('unreachable'));
    events.note('PAGE_OPENED', 'b1', '/:businessId');
    await events.flush();
    await events.flush();
    expect(sent).toHaveLength(1);
  });

  it('leaves out what was long ago', async () => {
    const { events, sent, state } = setUp();
    events.note('PAGE_OPENED', 'b1', '/:businessId');
    state.now += 11 * 60_000;
    await events.flush();
    expect(sent).toEqual([]);
  });
});
