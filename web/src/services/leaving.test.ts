import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KEEP_MS, Leaving } from './leaving';

let sent: string[];
let leaving: Leaving;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  leaving = new Leaving((id) => sent.push(id));
  return () => vi.useRealTimers();
});

describe('a service on its way off the list', () => {
  it('goes when the time to keep it is over', () => {
    leaving.start('cut');
    vi.advanceTimersByTime(KEEP_MS - 1);
    expect([sent, leaving.ids]).toEqual([[], ['cut']]);
    vi.advanceTimersByTime(1);
    expect([sent, leaving.ids]).toEqual([['cut'], []]);
  });

  it('stays when it is kept, and nothing is sent', () => {
    leaving.start('cut');
    leaving.keep('cut');
    vi.advanceTimersByTime(2 * KEEP_MS);
    expect([sent, leaving.ids]).toEqual([[], []]);
  });

  it('goes at once when the page is left, and once', () => {
    leaving.start('cut');
    leaving.start('cut');
    leaving.start('colour');
    leaving.flush();
    vi.advanceTimersByTime(2 * KEEP_MS);
    expect(sent).toEqual(['cut', 'colour']);
  });
});
