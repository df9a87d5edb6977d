import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../testing/fake-clock';
import { NOTICE_MS, Timetable } from './timetable';

const MINUTE = 60_000;

let clock: FakeClock;
const renew = vi.fn();
const ending = vi.fn();

const token = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.signature`;
/** A token of 15 minutes by a clock that runs an hour ahead of this one. */
const skewed = () => {
  const iat = clock.now() / 1000 + 3600;
  return token({ iat, exp: iat + 900 });
};

function timetable(renewalThresholdMs: number): Timetable {
  return new Timetable({ clock, renewalThresholdMs, renew, ending });
}

beforeEach(() => {
  clock = new FakeClock();
  renew.mockReset();
  ending.mockReset();
});

describe('the timetable of a session', () => {
  it.each([
    ['production', 5, 15],
    ['development', 10, 60],
  ])('renews the token of %s under %i minutes before its %i are over', (_, threshold, life) => {
    timetable(threshold * MINUTE).follow({ token: token({ exp: clock.now() / 1000 + life * 60 }) });
    clock.advance((life - threshold) * MINUTE - 1);
    expect(renew).not.toHaveBeenCalled();
    clock.advance(1);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('goes by the token’s own instants where the clocks of two machines differ', () => {
    const table = timetable(5 * MINUTE);
    table.follow({ token: skewed() });
    clock.advance(10 * MINUTE);
    expect(renew).toHaveBeenCalledTimes(1);
    expect(table.tokenExpired).toBe(false);
    clock.advance(5 * MINUTE);
    expect(table.tokenExpired).toBe(true);
  });

  it('waits half a minute at least, however short a token lives', () => {
    timetable(10 * MINUTE).follow({ token: token({ exp: clock.now() / 1000 + 60 }) });
    clock.advance(29_999);
    expect(renew).not.toHaveBeenCalled();
    clock.advance(1);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('knows nothing of a token that does not say when it ends', () => {
    const table = timetable(5 * MINUTE);
    table.follow({ token: 'opaque' });
    clock.advance(365 * 24 * 60 * MINUTE);
    expect(table.tokenExpired).toBe(false);
    expect(renew).not.toHaveBeenCalled();
  });

  it('follows the last grant only', () => {
    const table = timetable(5 * MINUTE);
    table.follow({ token: skewed(), sessionSecondsLeft: 3600 });
    table.follow({ token: skewed(), sessionSecondsLeft: 7200 });
    clock.advance(7200_000 - NOTICE_MS);
    expect(ending.mock.calls).toEqual([[clock.now() + NOTICE_MS]]);
    expect(renew).toHaveBeenCalledTimes(1);
    table.stop();
    expect(clock.waiting).toBe(0);
  });
});
