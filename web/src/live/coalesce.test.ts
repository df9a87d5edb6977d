import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../testing/fake-clock';
import { Coalesce } from './coalesce';

let clock: FakeClock;
let coalesce: Coalesce;

beforeEach(() => {
  clock = new FakeClock();
  coalesce = new Coalesce(clock, 300);
});

describe('many changes of one kind', () => {
  it('are read at once, and once more when the pause is over', () => {
    const read = vi.fn();
    for (let change = 0; change < 20; change += 1) coalesce.run('calls', read);
    expect(read).toHaveBeenCalledTimes(1);
    clock.advance(299);
    expect(read).toHaveBeenCalledTimes(1);
    clock.advance(1);
    expect(read).toHaveBeenCalledTimes(2);
    clock.advance(10_000);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('are never further behind than the pause', () => {
    const read = vi.fn();
    for (let change = 0; change < 30; change += 1) {
      coalesce.run('calls', read);
      clock.advance(100);
    }
    expect(read.mock.calls.length).toBeGreaterThanOrEqual(10);
    expect(read.mock.calls.length).toBeLessThanOrEqual(11);
  });

  it('do not hold up those of another kind', () => {
    const [calls, services] = [vi.fn(), vi.fn()];
    coalesce.run('calls', calls);
    coalesce.run('services', services);
    expect(calls).toHaveBeenCalledTimes(1);
    expect(services).toHaveBeenCalledTimes(1);
  });
});
