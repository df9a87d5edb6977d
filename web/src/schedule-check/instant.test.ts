import { describe, expect, it } from 'vitest';
import { instantOf, localText } from './instant';

const utc = (local: string, zone: string) => instantOf(local, zone)?.toISOString();

describe('a time on the salon’s clock', () => {
  it('is an instant, in summer and in winter', () => {
    expect(utc('2026-07-01T09:30', 'Europe/London')).toBe('2026-07-01T08:30:00.000Z');
    expect(utc('2026-12-01T09:30', 'Europe/London')).toBe('2026-12-01T09:30:00.000Z');
    expect(utc('2026-12-01T09:30', 'America/New_York')).toBe('2026-12-01T14:30:00.000Z');
    expect(utc('2026-12-01T00:15', 'Pacific/Kiritimati')).toBe('2026-11-30T10:15:00.000Z');
  });

  it('is invalid in the skipped hour, and the first one in the repeated hour', () => {
    expect(utc('2026-03-29T01:30', 'Europe/London')).toBeUndefined();
    expect(utc('2026-10-25T01:30', 'Europe/London')).toBe('2026-10-25T00:30:00.000Z');
  });

  it('is invalid for an invalid time', () => {
    for (const text of ['', 'soon', '2026-13-01T10:00']) expect(utc(text, 'Europe/London')).toBeUndefined();
  });

  it('comes out as it went in', () => {
    const date = new Date('2026-11-24T10:35:00Z');
    expect(instantOf(localText(date, 'Asia/Kathmandu'), 'Asia/Kathmandu')).toEqual(date);
  });
});
