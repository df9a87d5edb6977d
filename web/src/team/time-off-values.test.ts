import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { newTimeOff, problemsOf, requestOf, spanOf, type TimeOffValues } from './time-off-values';

const ZONE = 'America/New_York';
const values = (changes: Partial<TimeOffValues> = {}) => ({
  ...newTimeOff('ana', '2026-11-24'),
  ...changes,
});
const messages = (changes: Partial<TimeOffValues>) =>
  problemsOf(values(changes)).map(({ field, message }) => `${field}: ${message}`);

describe('time off that is asked for', () => {
  it('is today, the whole day, to begin with', () => {
    expect(problemsOf(values())).toEqual([]);
    expect(spanOf(values(), ZONE)).toEqual({
      from: new Date('2026-11-24T05:00Z'),
      to: new Date('2026-11-25T05:00Z'),
    });
    expect(requestOf(values({ reason: ' Wedding ' }), ZONE)).toMatchObject({
      employeeId: 'ana',
      firstDate: '2026-11-24',
      lastDate: '2026-11-24',
      reason: 'Wedding',
    });
  });

  it('may be hours of a day, by the salon’s clock', () => {
    const request = requestOf(values({ extent: 'hours', from: '13:00', until: '15:30' }), ZONE);
    expect(request).not.toHaveProperty('firstDate');
    expect(request).toMatchObject({
      startsAt: timestampFromDate(new Date('2026-11-24T18:00Z')),
      endsAt: timestampFromDate(new Date('2026-11-24T20:30Z')),
    });
  });

  it.each([
    [{ employeeId: '' }, 'employeeId: Choose who it is.'],
    [{ firstDate: '' }, 'firstDate: Say on which day it begins.'],
    [{ lastDate: '2026-11-23' }, 'lastDate: It must end after it begins.'],
    [{ lastDate: '2027-11-25' }, 'lastDate: At most 366 days at once.'],
    [{ extent: 'hours', until: '' }, 'until: Say until when.'],
    [{ extent: 'hours', from: '12:00' }, 'until: It must end after it begins.'],
  ] as const)('%j says %s', (changes, message) => {
    expect(messages(changes)).toEqual([message]);
    if (!('employeeId' in changes)) expect(spanOf(values(changes), ZONE)).toBeUndefined();
  });

  it('is whole on the day the clocks go forward', () => {
    const days = { firstDate: '2026-03-08', lastDate: '2026-03-08' };
    const span = spanOf(values(days), ZONE);
    expect(span && (span.to.getTime() - span.from.getTime()) / 3_600_000).toBe(23);
  });
});
