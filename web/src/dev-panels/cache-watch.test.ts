import { create } from '@bufbuild/protobuf';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type GetCacheStatsResponse,
  GetCacheStatsResponseSchema,
} from '../gen/frontdesk/telemetry/v1/cache_pb';
import { createAuthorised } from '../http/authorised';
import { ApiError } from '../http/errors';
import { deferred, FakeClock, settle } from '../testing/fake-clock';
import { type CacheCalls, CacheWatch, POLL_MS } from './cache-watch';

let clock: FakeClock;
let user: boolean;
let calls: { [K in keyof CacheCalls]: ReturnType<typeof vi.fn<CacheCalls[K]>> };
let watch: CacheWatch;

const stats = (totalHits: number): GetCacheStatsResponse =>
  create(GetCacheStatsResponseSchema, { globalMetrics: { totalHits }, isHealthy: true });
const refused = (status: number, message = '') =>
  new ApiError(message, { kind: 'refused', status, reason: '', metadata: {}, violations: [] });
const hits = () => watch.state.stats?.globalMetrics?.totalHits;

beforeEach(() => {
  clock = new FakeClock();
  user = true;
  calls = { stats: vi.fn(), reset: vi.fn(), clear: vi.fn(), test: vi.fn() };
  calls.stats.mockResolvedValue(stats(1));
  watch = new CacheWatch({ clock, calls, signedIn: async () => user });
});

describe('the cache panel', () => {
  it('reads at once when it opens, then every two seconds, and stops when it is closed', async () => {
    expect(POLL_MS).toBe(2000);
    watch.open();
    await settle();
    expect(calls.stats).toHaveBeenCalledTimes(1);
    calls.stats.mockResolvedValue(stats(2));
    clock.advance(1999);
    await settle();
    expect([calls.stats.mock.calls.length, hits()]).toEqual([1, 1]);
    clock.advance(1);
    await settle();
    expect([calls.stats.mock.calls.length, hits()]).toEqual([2, 2]);
    watch.close();
    clock.advance(60_000);
    await settle();
    expect(calls.stats).toHaveBeenCalledTimes(2);
    expect(clock.waiting).toBe(0);
  });

  it('never has two readings on the way', async () => {
    const slow = deferred<GetCacheStatsResponse>();
    calls.stats.mockReturnValue(slow.promise);
    watch.open();
    await settle();
    clock.advance(60_000);
    await settle();
    expect(calls.stats).toHaveBeenCalledTimes(1);
    slow.resolve(stats(3));
    await settle();
    expect(hits()).toBe(3);
  });

  it('drops an answer that comes after it was closed', async () => {
    const slow = deferred<GetCacheStatsResponse>();
    calls.stats.mockReturnValue(slow.promise);
    watch.open();
    await settle();
    watch.close();
    slow.resolve(stats(3));
    await settle();
    expect(watch.state.stats).toBeNull();
    expect(clock.waiting).toBe(0);
  });

  it('says that no user is signed in, without a call, and resumes after a sign-in', async () => {
    user = false;
    watch.open();
    await settle();
    expect(watch.state.status).toEqual({ tone: 'bad', text: 'Error: Not authenticated' });
    await watch.run('clear');
    expect(watch.state.status?.text).toBe('Error: Not authenticated');
    expect(calls.stats).not.toHaveBeenCalled();
    expect(calls.clear).not.toHaveBeenCalled();
    user = true;
    watch.open();
    await settle();
    expect(hits()).toBe(1);
  });

  it('says so when signing in again is the only way, and takes it back when a reading succeeds', async () => {
    calls.stats.mockRejectedValueOnce(refused(401));
    watch.open();
    await settle();
    expect(watch.state.status).toEqual({ tone: 'bad', text: 'Auth failed: Please log in again' });
    clock.advance(POLL_MS);
    await settle();
    expect(watch.state.status).toBeNull();
    expect(hits()).toBe(1);
  });

  it.each([
    ['reset', 'Reset error'],
    ['clear', 'Clear error'],
    ['test', 'Test error'],
  ] as const)('prefixes what went wrong with %s by %s', async (action, prefix) => {
    calls[action].mockRejectedValueOnce(refused(503, 'the cache can’t be reached'));
    await watch.run(action);
    expect(watch.state.status).toEqual({ tone: 'bad', text: `${prefix}: the cache can’t be reached` });
    calls[action].mockRejectedValueOnce(new ApiError('unreachable', { kind: 'unreachable' }));
    await watch.run(action);
    expect(watch.state.status?.text).toBe(`${prefix}: Frontdesk can’t be reached. Check your connection.`);
    calls[action].mockRejectedValueOnce(refused(401));
    await watch.run(action);
    expect(watch.state.status?.text).toBe('Auth failed: Please log in again');
    expect(watch.state.running).toBeNull();
  });

  it('shows the door’s words for what went well, reads again, and lets later readings leave them', async () => {
    watch.open();
    await settle();
    calls.reset.mockResolvedValue({ message: 'The figures start again from zero.' });
    calls.stats.mockResolvedValue(stats(0));
    await watch.run('reset');
    expect(watch.state.status).toEqual({ tone: 'good', text: 'The figures start again from zero.' });
    expect(hits()).toBe(0);
    clock.advance(POLL_MS);
    await settle();
    expect(watch.state.status?.text).toBe('The figures start again from zero.');
  });

  it('counts a test whose entry was lost as an error', async () => {
    calls.test.mockResolvedValue({ success: false, message: 'The entry did not come back.' });
    await watch.run('test');
    expect(watch.state.status).toEqual({ tone: 'bad', text: 'Test error: The entry did not come back.' });
  });

  it('takes one action at a time', async () => {
    const slow = deferred<{ message: string }>();
    calls.clear.mockReturnValue(slow.promise);
    const clearing = watch.run('clear');
    await settle();
    expect(watch.state.running).toBe('clear');
    await watch.run('reset');
    expect(calls.reset).not.toHaveBeenCalled();
    slow.resolve({ message: 'The cache is empty.' });
    await clearing;
    expect(watch.state.running).toBeNull();
  });
});

describe('a 401 on a panel call', () => {
  const answers = (...statuses: number[]) =>
    vi.fn(async () => {
      const status = statuses.shift() ?? 500;
      return new Response(JSON.stringify(status === 200 ? { globalMetrics: { totalHits: 9 } } : {}), {
        status,
      });
    });

  const watching = (transport: ReturnType<typeof answers>, renewal: Promise<string | null>) => {
    const renewAfterRefusal = vi.fn(() => renewal);
    const send = createAuthorised(transport, { readyToken: async () => 'old', renewAfterRefusal });
    calls.stats.mockImplementation(async () => {
      const answer = await send({ verb: 'GET', path: '/v1/debug/cache-stats' });
      return create(GetCacheStatsResponseSchema, answer as object);
    });
    watch.open();
    return renewAfterRefusal;
  };

  it('waits for auth and tries once more', async () => {
    const transport = answers(401, 200);
    const renewal = deferred<string | null>();
    watching(transport, renewal.promise);
    await vi.waitFor(() => expect(transport).toHaveBeenCalledTimes(1));
    await settle();
    expect(transport).toHaveBeenCalledTimes(1);
    renewal.resolve('new');
    await vi.waitFor(() => expect(hits()).toBe(9));
    expect(transport).toHaveBeenCalledTimes(2);
    expect(transport).toHaveBeenLastCalledWith(expect.objectContaining({ token: 'new' }));
  });

  it('does not try a third time', async () => {
    const transport = answers(401, 401);
    watching(transport, Promise.resolve('new'));
    await vi.waitFor(() => expect(watch.state.status?.text).toBe('Auth failed: Please log in again'));
    expect(transport).toHaveBeenCalledTimes(2);
  });

  it('is final when there is no new token', async () => {
    const transport = answers(401);
    watching(transport, Promise.resolve(null));
    await vi.waitFor(() => expect(watch.state.status?.text).toBe('Auth failed: Please log in again'));
    expect(transport).toHaveBeenCalledTimes(1);
  });
});
