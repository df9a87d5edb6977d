import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { cameText, dueDayText, dueFields, dueOf, dueText } from './due';

const LONDON = 'Europe/London';
const NOW = new Date('2026-06-02T10:00:00Z');
const at = (text: string) => timestampFromDate(new Date(text));

describe('when a follow-up is due', () => {
  it('is meant by the salon’s clock', () => {
    expect(dueOf({ day: '2026-06-02', time: '15:00' }, LONDON)).toEqual(at('2026-06-02T14:00:00Z'));
    expect(dueFields(at('2026-06-02T14:00:00Z'), LONDON)).toEqual({ day: '2026-06-02', time: '15:00' });
  });

  it('is the end of the day where no time is given, and never where no day is', () => {
    expect(dueOf({ day: '2026-12-01', time: '' }, LONDON)).toEqual(at('2026-12-01T18:00:00Z'));
    expect(dueOf({ day: '', time: '15:00' }, LONDON)).toBeUndefined();
    expect(dueFields(undefined, LONDON)).toEqual({ day: '', time: '' });
  });

  it('is shown with its day, and marked once it has passed', () => {
    expect(dueText(at('2026-06-02T14:00:00Z'), LONDON, NOW)).toEqual({
      text: 'Due today, 15:00',
      overdue: false,
    });
    expect(dueText(at('2026-06-02T09:00:00Z'), LONDON, NOW)?.text).toBe('Was due today, 10:00');
    expect(dueText(at('2026-06-03T09:00:00Z'), LONDON, NOW)?.text).toBe('Due tomorrow, 10:00');
    expect(dueText(at('2026-06-05T09:00:00Z'), LONDON, NOW)?.text).toMatch(/^Due .*5 Jun.*10:00$/);
    expect(dueText(undefined, LONDON, NOW)).toBeUndefined();
  });

  it('says when it came by the day’s name, or by the date of an earlier day', () => {
    expect(cameText(at('2026-06-02T08:05:00Z'), LONDON, NOW)).toBe('Today, 9:05');
    expect(cameText(at('2026-06-01T15:42:00Z'), LONDON, NOW)).toBe('Yesterday, 16:42');
    expect(cameText(at('2026-05-20T15:42:00Z'), LONDON, NOW)).toMatch(/^20 May 2026, 16:42$/);
    expect(cameText(undefined, LONDON, NOW)).toBe('');
  });

  it('is shown without a time if the day is enough', () => {
    expect(dueDayText('2026-06-02', LONDON, NOW)).toEqual({ text: 'Due today', overdue: false });
    expect(dueDayText('2026-06-01', LONDON, NOW)).toMatchObject({ overdue: true });
    expect(dueDayText('2026-06-01', LONDON, NOW).text).toMatch(/^Was due 1 Jun/);
    // There it is the day before still.
    expect(dueDayText('2026-06-02', 'Pacific/Midway', NOW).text).toMatch(/^Due 2 Jun/);
  });
});
