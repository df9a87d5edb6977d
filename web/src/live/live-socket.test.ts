import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Topic } from '../gen/frontdesk/live/v1/live_pb';
import { FakeClock, settle } from '../testing/fake-clock';
import { LiveSocket, type Wire } from './live-socket';
import type { LiveStatus } from './status';

class FakeWire implements Wire {
  sent: unknown[] = [];
  closedWith: number | undefined;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(code?: number): void {
    this.closedWith = code ?? 1005;
  }

  receive(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

let clock: FakeClock;
let wires: FakeWire[];
let token: string | null;
let beginnings: string[];
let statuses: LiveStatus[];
let socket: LiveSocket;
const onChanged = vi.fn();
const onReset = vi.fn();
const renew = vi.fn(async () => undefined);

const last = () => wires.at(-1) as FakeWire;

function goLive(cursor = 'c1'): void {
  last().onopen?.();
  last().receive({ ready: { cursor } });
}

beforeEach(() => {
  clock = new FakeClock();
  wires = [];
  token = 't1';
  beginnings = [];
  statuses = [];
  onChanged.mockReset();
  onReset.mockReset();
  renew.mockReset().mockResolvedValue(undefined);
  socket = new LiveSocket({
    open: () => {
      const wire = new FakeWire();
      wires.push(wire);
      return wire;
    },
    clock,
    random: () => 0.5,
    token: () => token,
    beginning: () => beginnings.shift() ?? '',
    renew,
    onChanged,
    onReset,
    onStatus: (status) => statuses.push(status),
  });
});

describe('the live socket', () => {
  it('authenticates first, then subscribes', () => {
    socket.follow(['b2', 'b1']);
    last().onopen?.();
    expect(last().sent).toEqual([
      { authenticate: { token: 't1' } },
      { subscribe: { businessIds: ['b1', 'b2'] } },
    ]);
  });

  it('resumes from the start of the session: later reads are not repeated', () => {
    beginnings = ['c0'];
    socket.follow(['b1']);
    goLive('c1');
    expect(last().sent).toContainEqual({ subscribe: { businessIds: ['b1'], cursor: 'c0' } });
    expect(onReset).not.toHaveBeenCalled();
    socket.follow(['b1', 'b2']);
    last().receive({ ready: { cursor: 'c2' } });
    expect(onReset).toHaveBeenCalledOnce();
  });

  it('reloads the answers from before the subscription, since changes in between were not reported', () => {
    socket.follow(['b1']);
    clock.advance(50);
    const subscribedAt = clock.now();
    last().onopen?.();
    clock.advance(50);
    last().receive({ ready: { cursor: 'c1' } });
    expect(statuses).toEqual(['connecting', 'live']);
    expect(onReset.mock.calls).toEqual([[subscribedAt]]);
  });

  it('reports changes, and resumes after the last one', () => {
    socket.follow(['b1']);
    goLive();
    last().receive({ changed: { businessId: 'b1', topic: 'TOPIC_CALLS', id: 'x', cursor: 'c9' } });
    expect(onChanged.mock.calls[0]?.[0]).toMatchObject({ businessId: 'b1', topic: Topic.CALLS, id: 'x' });
    last().onclose?.({ code: 1006 });
    clock.advance(30_000);
    goLive('c10');
    expect(last().sent[1]).toEqual({ subscribe: { businessIds: ['b1'], cursor: 'c9' } });
    expect(onReset).toHaveBeenCalledTimes(1);
  });

  it('reads everything again when the door cannot resume', () => {
    socket.follow(['b1']);
    goLive();
    last().receive({ reset: {} });
    expect(onReset).toHaveBeenCalledTimes(2);
    expect(onReset).toHaveBeenLastCalledWith(Number.POSITIVE_INFINITY);
  });

  it('waits longer after each failed attempt, and resets the wait once it was live', () => {
    socket.follow(['b1']);
    const waits = [375, 750, 1500];
    for (const [attempt, wait] of waits.entries()) {
      last().onclose?.({ code: 1006 });
      clock.advance(wait - 1);
      expect(wires).toHaveLength(attempt + 1);
      clock.advance(1);
      expect(wires).toHaveLength(attempt + 2);
    }
    goLive();
    last().onclose?.({ code: 1006 });
    clock.advance(375);
    expect(wires).toHaveLength(5);
  });

  it('reconnects spread out after a restart of the server', () => {
    socket.follow(['b1']);
    goLive();
    last().onclose?.({ code: 1012 });
    clock.advance(2499);
    expect(wires).toHaveLength(1);
    clock.advance(1);
    expect(wires).toHaveLength(2);
  });

  it('renews the session when it was refused, then comes back', async () => {
    socket.follow(['b1']);
    last().onopen?.();
    last().onclose?.({ code: 4401 });
    expect(renew).toHaveBeenCalledTimes(1);
    token = 't2';
    await settle();
    clock.advance(375);
    last().onopen?.();
    expect(last().sent[0]).toEqual({ authenticate: { token: 't2' } });
  });

  it('does not reconnect when the session is over', async () => {
    renew.mockRejectedValue(new Error('over'));
    socket.follow(['b1']);
    last().onclose?.({ code: 4401 });
    await settle();
    clock.advance(120_000);
    expect(wires).toHaveLength(1);
    expect(statuses.at(-1)).toBe('off');
  });

  it('renews the session when a business is refused', async () => {
    socket.follow(['b1', 'b2']);
    goLive();
    last().onclose?.({ code: 4403 });
    expect(renew).toHaveBeenCalledTimes(1);
    expect(onReset).toHaveBeenCalledTimes(2);
    socket.follow(['b1']);
    last().onopen?.();
    expect(last().sent[1]).toEqual({ subscribe: { businessIds: ['b1'], cursor: 'c1' } });
    await settle();
    clock.advance(120_000);
    expect(wires).toHaveLength(2);
  });

  it('authenticates again with each renewed token, also before the server is ready', () => {
    socket.follow(['b1']);
    last().onopen?.();
    token = 't2';
    socket.authenticate();
    expect(last().sent.at(-1)).toEqual({ authenticate: { token: 't2' } });
  });

  it('follows other businesses on the same socket, from now for those it did not know', () => {
    socket.follow(['b1']);
    goLive();
    socket.follow(['b1', 'b3']);
    expect(wires).toHaveLength(1);
    expect(last().sent.at(-1)).toEqual({ subscribe: { businessIds: ['b1', 'b3'] } });
  });

  it('does not sit out its wait once the network is back', () => {
    socket.follow(['b1']);
    last().onclose?.({ code: 1006 });
    socket.reconnectNow();
    expect(wires).toHaveLength(2);
    clock.advance(60_000);
    expect(wires).toHaveLength(2);
  });

  it('closes for good when nothing is followed', () => {
    socket.follow(['b1']);
    goLive();
    const wire = last();
    socket.follow([]);
    expect(wire.closedWith).toBe(1000);
    expect(wire.onclose).toBeNull();
    clock.advance(60_000);
    expect(wires).toHaveLength(1);
  });
});
