import { describe, expect, it, vi } from 'vitest';
import { deferred, FakeClock } from '../testing/fake-clock';
import { RefreshManager } from './refresh-manager';

const failing = () => Promise.reject(new Error('refused'));

async function fail(manager: RefreshManager<string>, times: number) {
  for (let time = 0; time < times; time += 1) await expect(manager.run()).rejects.toThrow('refused');
}

describe('the refresh manager', () => {
  it('runs one refresh for all callers meanwhile', async () => {
    const answer = deferred<string>();
    const refresh = vi.fn(() => answer.promise);
    const manager = new RefreshManager(new FakeClock(), refresh);
    const [one, other] = [manager.run(), manager.run()];
    expect(manager.running).toBe(true);
    answer.resolve('token');
    expect(await Promise.all([one, other])).toEqual(['token', 'token']);
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(manager.running).toBe(false);
  });

  it('blocks after three failures for 2 s, and says why', async () => {
    const clock = new FakeClock();
    const manager = new RefreshManager(clock, failing);
    await fail(manager, 3);
    expect(manager.allowed).toBe(false);
    await expect(manager.run()).rejects.toThrow('Refresh backoff due to consecutive failures');
    clock.advance(1999);
    expect(manager.allowed).toBe(false);
    clock.advance(1);
    await fail(manager, 1);
  });

  it('doubles the wait with each failure beyond the third', async () => {
    const clock = new FakeClock();
    const manager = new RefreshManager(clock, failing);
    await fail(manager, 3);
    for (const wait of [2000, 4000, 8000]) {
      clock.advance(wait - 1);
      expect(manager.allowed).toBe(false);
      clock.advance(1);
      await fail(manager, 1);
    }
  });

  it('resets the backoff after a success or a sign-in', async () => {
    const clock = new FakeClock();
    const refresh = vi.fn(failing as () => Promise<string>);
    const manager = new RefreshManager(clock, refresh);
    await fail(manager, 2);
    refresh.mockResolvedValueOnce('token');
    await manager.run();
    await fail(manager, 2);
    expect(manager.allowed).toBe(true);
    await fail(manager, 1);
    expect(manager.allowed).toBe(false);
    manager.reset();
    expect(manager.allowed).toBe(true);
  });
});
