import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { WaitlistEntrySchema } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { suitsText, waitsForText, wantedText } from './wishes';

const entry = (firstDate: string, lastDate: string, fromMinute = 0, toMinute = 0) =>
  create(WaitlistEntrySchema, { firstDate, lastDate, fromMinute, toMinute, items: [{ serviceId: 'cut' }] });

describe('what a customer waits for', () => {
  it('is described by its dates, and its hours unless they are the whole day', () => {
    expect(suitsText(entry('2026-06-02', '2026-06-05', 540, 720))).toBe('2 Jun – 5 Jun, 9:00 – 12:00');
    expect(suitsText(entry('2026-06-02', '2026-06-05', 0, 1440))).toBe('2 Jun – 5 Jun');
    expect(suitsText(entry('2026-06-02', '2026-06-02'))).toBe('Tue 2 Jun');
  });

  it('is named as in the catalogue', () => {
    const one = entry('2026-06-02', '2026-06-02');
    expect(wantedText(one, new Map([['cut', 'Cut & finish']]))).toBe('Cut & finish');
    expect(wantedText(one, new Map())).toBe('A service no longer offered');
  });

  it('is said with whom and when', () => {
    const services = new Map([['cut', 'Cut & finish']]);
    const employees = new Map([['mia', 'Mia Larsen']]);
    const one = entry('2026-06-02', '2026-06-05');
    expect(waitsForText(one, services, employees)).toBe('Cut & finish, 2 Jun – 5 Jun');
    for (const item of one.items) item.preferredEmployeeId = 'mia';
    expect(waitsForText(one, services, employees)).toBe('Cut & finish with Mia Larsen, 2 Jun – 5 Jun');
  });

  it('has its length, where that is not the usual one', () => {
    const one = entry('2026-06-02', '2026-06-02');
    for (const item of one.items) item.extraMinutes = 15;
    expect(wantedText(one, new Map([['cut', 'Cut & finish']]))).toBe('Cut & finish (15 min longer)');
  });
});
