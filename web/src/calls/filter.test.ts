import { describe, expect, it } from 'vitest';
import { CallOutcome, CallState, MissedReason } from '../gen/frontdesk/telemetry/v1/call_pb';
import { EVERY_CALL, filterOf, problemOf, queryOf, wishOf } from './filter';

const SERVICE = '01900000-0000-7000-8000-00000000c001';

describe('which calls are wanted', () => {
  it('is what the address says, and comes back from it', () => {
    const wish = {
      ...EVERY_CALL,
      first: '2026-06-01',
      last: '2026-06-07',
      state: 'ended' as const,
      outcomes: [CallOutcome.BOOKED, CallOutcome.ABANDONED],
      platform: 'retell',
      reason: MissedReason.NO_FREE_TIME,
      wanted: true,
      team: 'no' as const,
      failed: true,
      service: SERVICE,
      serviceBooked: true,
      lookupMs: 900,
      customer: SERVICE,
      hour: 0,
      words: 'root tint',
    };
    expect(wishOf(new URLSearchParams(queryOf(wish)))).toEqual(wish);
    expect(queryOf(EVERY_CALL)).toBe('');
    expect(wishOf(new URLSearchParams())).toEqual(EVERY_CALL);
  });

  it('leaves out what no list can be asked for', () => {
    const search = new URLSearchParams(
      'from=today&to=2026-02-30&state=busy&outcome=LOST,BOOKED&reason=X&service=cut&booked=1&lookup=-5&customer=7&hour=24&team=1',
    );
    expect(wishOf(search)).toEqual({ ...EVERY_CALL, outcomes: [CallOutcome.BOOKED] });
  });

  it('is asked for as the contract has it, the hour only where one is chosen', () => {
    expect(filterOf({ ...EVERY_CALL, state: 'live' })).not.toHaveProperty('hour');
    expect(filterOf({ ...EVERY_CALL, state: 'live', hour: 0 })).toMatchObject({
      state: CallState.LIVE,
      hour: 0,
    });
    expect(filterOf(EVERY_CALL)).not.toHaveProperty('bookedByTeam');
    expect(filterOf({ ...EVERY_CALL, team: 'no' })).toMatchObject({ bookedByTeam: false });
    expect(problemOf({ ...EVERY_CALL, first: '2026-06-02', last: '2026-06-01' })).not.toBeNull();
  });
});
