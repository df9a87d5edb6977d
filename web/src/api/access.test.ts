import { describe, expect, it } from 'vitest';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AvailabilityService } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { BusinessService } from '../gen/frontdesk/tenancy/v1/business_pb';
import { may } from './access';

describe('what a person may do', () => {
  it('is what the contract’s rule says of their role', () => {
    expect(may(BusinessService.method.getBusiness, 'GUEST')).toBe(true);
    expect(may(AppointmentService.method.cancelAppointment, 'GUEST')).toBe(false);
    expect(may(AppointmentService.method.cancelAppointment, 'EMPLOYEE')).toBe(true);
    expect(may(ScheduleService.method.setOpeningHours, 'EMPLOYEE')).toBe(false);
    expect(may(ScheduleService.method.setOpeningHours, 'MANAGER')).toBe(true);
    expect(may(BusinessService.method.listBusinesses, 'OWNER')).toBe(false);
    expect(may(BusinessService.method.listBusinesses, 'ADMIN')).toBe(true);
  });

  it('excludes what only agents do, and everything for those without a role', () => {
    expect(may(AvailabilityService.method.releaseCallHolds, 'ADMIN')).toBe(false);
    expect(may(BusinessService.method.getBusiness, undefined)).toBe(false);
  });
});
