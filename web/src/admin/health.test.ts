import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { BusinessOwnersSchema } from '../gen/frontdesk/auth/v1/member_pb';
import { CalendarHealthSchema } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { BookingHealthSchema } from '../gen/frontdesk/scheduling/v1/booking_health_pb';
import { CallHealthSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import { BusinessSetupSchema } from '../gen/frontdesk/tenancy/v1/business_pb';
import {
  failsInCallsAlone,
  failsToPublishAlone,
  type HealthParts,
  healthOf,
  leftText,
  needsLook,
  sumOf,
} from './health';

const businessId = 'willow';
const READY: HealthParts = {
  setups: [create(BusinessSetupSchema, { businessId, employeeCount: 2, voiceConnectionCount: 1 })],
  owners: [create(BusinessOwnersSchema, { businessId, ownerCount: 1 })],
  bookings: [
    create(BookingHealthSchema, {
      businessId,
      serviceCount: 8,
      bookableServiceCount: 8,
      openDayCount: 6,
      scheduledEmployeeCount: 2,
    }),
  ],
  calls: [create(CallHealthSchema, { businessId, callCount: 4 })],
  calendars: [create(CalendarHealthSchema, { businessId, calendarCount: 2 })],
};
const UNKNOWN: HealthParts = {
  setups: undefined,
  owners: undefined,
  bookings: undefined,
  calls: undefined,
  calendars: undefined,
};

describe('the health of a business', () => {
  it('is good where all is set up and nothing fails', () => {
    expect(needsLook(healthOf(businessId, READY))).toBe(false);
  });

  it('is not called bad before anything is known', () => {
    const health = healthOf(businessId, UNKNOWN);
    expect([needsLook(health), health.calls]).toEqual([false, undefined]);
  });

  it('says what is left to set up, of that business alone', () => {
    const parts = { ...READY, setups: [create(BusinessSetupSchema, { businessId })] };
    expect(leftText(healthOf(businessId, parts).left)).toBe('Connect the telephone');
    expect(healthOf('another', READY).left).toEqual([]);
  });

  it('says what fails, in numbers', () => {
    const parts = {
      ...READY,
      calendars: [create(CalendarHealthSchema, { businessId, calendarCount: 2, failingCount: 1 })],
      calls: [create(CallHealthSchema, { businessId, failedToolCallCount: 3 })],
    };
    expect(healthOf(businessId, parts).problems).toEqual([
      '1 calendar is not in step',
      '3 look-ups of the agent failed',
    ]);
  });

  it('leads to the calls only where nothing else is to be seen to', () => {
    const calls = [create(CallHealthSchema, { businessId, failedToolCallCount: 3 })];
    const failing = [create(CalendarHealthSchema, { businessId, failingCount: 1 })];
    const alone = (parts: Partial<HealthParts>) =>
      failsInCallsAlone(healthOf(businessId, { ...READY, ...parts }));
    expect([
      alone({ calls }),
      alone({}),
      alone({ calls, calendars: failing }),
      alone({ calendars: failing }),
      alone({ calls, setups: [create(BusinessSetupSchema, { businessId })] }),
    ]).toEqual([true, false, false, false, false]);
  });

  it('says that a phone line is broken', () => {
    const counts = { employeeCount: 2, voiceConnectionCount: 1, brokenVoiceConnectionCount: 1 };
    const broken = { ...READY, setups: [create(BusinessSetupSchema, { businessId, ...counts })] };
    const health = healthOf(businessId, broken);
    expect([health.problems, needsLook(health)]).toEqual([['1 phone line is broken'], true]);
  });

  it('says that publications of the agent failed, apart from lines that are broken otherwise', () => {
    const counts = { employeeCount: 2, voiceConnectionCount: 3, agentVersion: 4 };
    const health = (brokenVoiceConnectionCount: number, failedPublicationCount: number) => {
      const setup = { businessId, ...counts, brokenVoiceConnectionCount, failedPublicationCount };
      return healthOf(businessId, { ...READY, setups: [create(BusinessSetupSchema, setup)] });
    };
    expect(health(3, 2).problems).toEqual([
      '2 phone lines lack the published agent',
      '1 phone line is broken',
    ]);
    expect([health(1, 1), health(3, 2), health(1, 0)].map(failsToPublishAlone)).toEqual([true, false, false]);
    expect(health(0, 0).agentVersion).toBe(4);
    expect(healthOf(businessId, UNKNOWN).agentVersion).toBeUndefined();
  });

  it('is summed up only once it is known', () => {
    expect(sumOf(READY.calls, ({ callCount }) => callCount)).toBe(4);
    expect(sumOf(UNKNOWN.calls, ({ callCount }) => callCount)).toBeUndefined();
  });
});
