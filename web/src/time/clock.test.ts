import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserClock } from './clock';

const DAY = 24 * 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the browser’s clock', () => {
  it('waits longer than a browser’s timer can', () => {
    const due = vi.fn();
    browserClock.after(30 * DAY, due);
    vi.advanceTimersByTime(30 * DAY - 1);
    expect(due).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(due).toHaveBeenCalledTimes(1);
  });

  it('cancels a wait, in its second part too', () => {
    const due = vi.fn();
    const cancel = browserClock.after(30 * DAY, due);
    vi.advanceTimersByTime(26 * DAY);
    cancel();
    vi.advanceTimersByTime(10 * DAY);
    expect(due).not.toHaveBeenCalled();
  });
});
