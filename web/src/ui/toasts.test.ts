import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../testing/fake-clock';
import { sessionToasts, toasts as shellToasts, Toasts } from './toasts';

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

  it('keep what can be done about them', () => {
    const toasts = place(1);
    let undone = false;
    toasts.show('good', 'Saved', {
      label: 'Undo',
      run: () => {
        undone = true;
      },
    });
    toasts.list[0]?.action?.run();
    expect(undone).toBe(true);
  });

  it('are taken away together, with their timers', () => {
    const toasts = place(3);
    toasts.show('bad', 'one');
    toasts.show('bad', 'two');
    toasts.clear();
    expect(toasts.list).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  it('go on to go away once they are no longer where they were kept', () => {
    const toasts = place(3);
    toasts.show('info', 'Kept');
    toasts.show('info', 'Not kept');
    const [kept, other] = toasts.list;
    clock.advance(4000);
    toasts.hold(kept?.id ?? 0);
    for (const toast of [kept, other]) toasts.release(toast?.id ?? 0);
    clock.advance(1000);
    expect(toasts.list.map(({ text }) => text)).toEqual(['Kept']);
    clock.advance(4000);
    expect(toasts.list).toEqual([]);
    toasts.release(kept?.id ?? 0);
    expect(clock.waiting).toBe(0);
  });

  it('stay while the pointer is on them', () => {
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

describe.each([
  { name: 'of the shell', area: shellToasts, limit: 1, duration: 5000 },
  { name: 'of the session', area: sessionToasts, limit: 3, duration: 4000 },
])('the toasts $name', ({ area, limit, duration }) => {
  it(`are ${limit} at a time, for ${duration} ms, and gone when dismissed`, () => {
    vi.useFakeTimers();
    const texts = () => area.list.map(({ text }) => text);
    for (const text of ['one', 'two', 'three', 'four']) area.show('info', text);
    expect(texts()).toEqual(['one', 'two', 'three', 'four'].slice(-limit));
    area.dismiss(area.list.at(-1)?.id ?? 0);
    expect(texts()).toHaveLength(limit - 1);
    area.show('info', 'five');
    vi.advanceTimersByTime(duration - 1);
    expect(texts()).toContain('five');
    vi.advanceTimersByTime(1);
    expect(texts()).toEqual([]);
    vi.useRealTimers();
  });
});
