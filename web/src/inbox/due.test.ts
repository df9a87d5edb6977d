import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { AppointmentAccess, BusinessAccess, TimeOffAccess } from '../gen/access';
import { CalendarSchema } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { ConflictSchema } from '../gen/frontdesk/scheduling/v1/conflict_pb';
import { TimeOffSchema } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { calendarDue, conflictDue, ownerOf, timeOffDue } from './due';

const LONDON = 'Europe/London';
const NOW = new Date('2026-06-02T10:00:00Z');
const at = (text: string) => timestampFromDate(new Date(text));

describe('what needs a person', () => {
  it('belongs to the roles that may settle it, by the contract', () => {
    expect(ownerOf(AppointmentAccess.moveAppointment)).toBe('For anyone');
    expect(ownerOf(TimeOffAccess.approveTimeOff)).toBe('For a manager');
    expect(ownerOf(BusinessAccess.updateBusiness)).toBe('For the owner');
  });

  it('is due before the first side of a conflict begins', () => {
    const conflict = create(ConflictSchema, {
      startsAt: at('2026-06-02T14:30:00Z'),
      appointment: { startsAt: at('2026-06-02T14:00:00Z') },
    });
    expect(conflictDue(conflict, LONDON, NOW)).toEqual({ text: 'Due today, 15:00', overdue: false });
    expect(conflictDue(conflict, LONDON, new Date('2026-06-02T14:10:00Z'))?.overdue).toBe(true);
  });

  it('is due before the time off begins', () => {
    const days = create(TimeOffSchema, { firstDate: '2026-06-05', startsAt: at('2026-06-04T23:00:00Z') });
    expect(timeOffDue(days, LONDON, NOW)?.text).toMatch(/^Due 5 Jun 2026$/);
    const hours = create(TimeOffSchema, { startsAt: at('2026-06-02T08:00:00Z') });
    expect(timeOffDue(hours, LONDON, NOW)).toEqual({ text: 'Was due today, 9:00', overdue: true });
  });

  it('is due a day after a calendar was read, and never where it was not', () => {
    const stopped = create(CalendarSchema, { syncedAt: at('2026-06-01T11:00:00Z') });
    expect(calendarDue(stopped, LONDON, NOW)?.text).toBe('Due today, 12:00');
    expect(calendarDue(create(CalendarSchema), LONDON, NOW)).toBeUndefined();
  });
});
