import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { CleanupSchema } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { cleanupText, stuckText, upcomingText } from './cleanup';

const cleanup = (leftCount: number, fault = '', refusedCount = 0) =>
  create(CleanupSchema, { eventCount: 40, leftCount, fault, refusedCount });

describe('taking appointments out', () => {
  it('is said by number', () => {
    expect(cleanupText(cleanup(40), false)).toBe('Taking out 1 of 40 …');
    expect(cleanupText(cleanup(29), false)).toBe('Taking out 12 of 40 …');
    expect(cleanupText(cleanup(1), false)).toBe('Taking out 40 of 40 …');
    expect(cleanupText(cleanup(0), false)).toBe('All are taken out. Disconnecting …');
    expect(cleanupText(cleanup(28), true)).toBe('12 of 40 are taken out.');
    expect(upcomingText(1)).toBe('1 upcoming appointment');
    expect(upcomingText(1200)).toBe('1,200 upcoming appointments');
  });

  it('gives the reason that it waits, and says whether it is tried again', () => {
    expect(stuckText(cleanup(3))).toBe('');
    expect(stuckText(cleanup(28, 'the calendar can’t be reached'))).toBe(
      '28 appointments are still there: The calendar can’t be reached. This is tried again by itself, less often each time.',
    );
    expect(stuckText(cleanup(1, 'it is read only (403)', 1))).toBe(
      '1 appointment is still there: It is read only (403). It refused to delete this one.',
    );
  });
});
