import { describe, expect, it } from 'vitest';
import { AppointmentAccess, AvailabilityAccess, BusinessAccess, ScheduleAccess } from '../gen/access';
import { ROLES } from '../session/roles';
import { may } from './access';

describe('what a person may do', () => {
  it('is what the contract’s rule says of their role', () => {
    expect(may(BusinessAccess.getBusiness, 'GUEST')).toBe(true);
    expect(may(AppointmentAccess.cancelAppointment, 'GUEST')).toBe(false);
    expect(may(AppointmentAccess.cancelAppointment, 'EMPLOYEE')).toBe(true);
    expect(may(ScheduleAccess.setOpeningHours, 'EMPLOYEE')).toBe(false);
    expect(may(ScheduleAccess.setOpeningHours, 'MANAGER')).toBe(true);
    expect(may(BusinessAccess.listBusinesses, 'OWNER')).toBe(false);
    expect(may(BusinessAccess.listBusinesses, 'ADMIN')).toBe(true);
  });

  it.each(ROLES)('checks each rank by its helper: %s', (role) => {
    const checked = ROLES.filter((least) => may(least, role));
    const rank = ROLES.indexOf(role);
    expect(checked).toEqual(ROLES.slice(rank));
    expect([may('PUBLIC', role), may('PUBLIC', undefined)]).toEqual([true, true]);
  });

  it('excludes what only agents do, and everything for those without a role', () => {
    // @ts-expect-error a method without a row lets no person in
    expect(AvailabilityAccess.releaseCallHolds).toBeUndefined();
    expect(may(BusinessAccess.getBusiness, undefined)).toBe(false);
  });
});
