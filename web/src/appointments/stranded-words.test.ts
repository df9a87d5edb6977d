import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import {
  ContactOutcome,
  ContactSchema,
  StrandedAppointmentSchema,
  StrandedReason,
} from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { calledText, isOver, whyText } from './stranded-words';

const LONDON = 'Europe/London';
const NOW = new Date('2026-06-02T10:00:00Z');

const call = (at: string, note = '', recordedByName = '') =>
  create(ContactSchema, {
    outcome: ContactOutcome.NO_ANSWER,
    note,
    recordedByName,
    recordedAt: timestampFromDate(new Date(at)),
  });

describe('a stranded visit', () => {
  it('says why its employee does not serve', () => {
    const why = (reason: StrandedReason, employeeName = 'Noah Adeyemi') =>
      whyText(create(StrandedAppointmentSchema, { reason, employeeName }));
    expect(why(StrandedReason.TIME_OFF)).toBe('Noah is away');
    expect(why(StrandedReason.NOT_WORKING)).toBe('Noah does not work then');
    expect(why(StrandedReason.CLOSED)).toBe('The salon is closed');
    expect(why(StrandedReason.TIME_OFF, '')).toBe('The employee is away');
  });

  it('is over from its end on, and says why its employee did not serve', () => {
    const line = create(StrandedAppointmentSchema, {
      reason: StrandedReason.TIME_OFF,
      employeeName: 'Noah Adeyemi',
      endsAt: timestampFromDate(NOW),
    });
    expect(isOver(line, new Date(NOW.getTime() - 1))).toBe(false);
    expect(isOver(line, NOW)).toBe(true);
    expect(isOver(create(StrandedAppointmentSchema), NOW)).toBe(false);
    const why = (reason: StrandedReason) => whyText({ ...line, reason }, true);
    expect([StrandedReason.TIME_OFF, StrandedReason.NOT_WORKING, StrandedReason.CLOSED].map(why)).toEqual([
      'Noah was away',
      'Noah did not work then',
      'The salon was closed',
    ]);
  });

  it('says how often its customer was called, and what was noted last', () => {
    expect(calledText([], LONDON, NOW)).toBe('');
    expect(calledText([call('2026-06-02T09:12:00Z')], LONDON, NOW)).toBe('No answer today, 10:12');
    const calls = [call('2026-06-02T09:30:00Z', 'mailbox full', 'Ana'), call('2026-06-02T09:12:00Z')];
    expect(calledText(calls, LONDON, NOW)).toBe(
      'No answer 2 times, last today, 10:30 (Ana) · “mailbox full”',
    );
  });
});
