import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock';
import { Toasts } from './toasts';

let clock: FakeClock;
const place = (limit: number) =>
  new Toasts(limit, 5000, {
    set: (callback, ms) => clock.after(ms, callback),
    clear: (cancel) => (cancel as () => void)(),
  });

beforeEach(() => {
  clock = new FakeClock();
});

describe('toasts', () => {
  it('go away by themselves', () => {
    const toasts = place(1);
    toasts.show('good', 'Saved');
    clock.advance(4999);
    expect(toasts.list).toHaveLength(1);
    clock.advance(1);
    expect(toasts.list).toEqual([]);
  });

  it('make room for the newest', () => {
    const toasts = place(1);
    toasts.show('good', 'one');
    toasts.show('bad', 'two');
    expect(toasts.list.map(({ text }) => text)).toEqual(['two']);
    clock.advance(5000);
    expect(clock.waiting).toBe(0);
  });

  it('stay while somebody points at them', () => {
    const toasts = place(3);
    toasts.show('info', 'Read me');
    const [toast] = toasts.list;
    toasts.hold(toast?.id ?? 0);
    clock.advance(60_000);
    expect(toasts.list).toHaveLength(1);
    toasts.resume(toast?.id ?? 0);
    clock.advance(5000);
    expect(toasts.list).toEqual([]);
  });
});
