import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DemoCalendarService } from '../gen/frontdesk/calendarsync/v1/demo_calendar_pb';
import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { AvailabilityService } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { CallOutcome, CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { outgoing } from './outgoing';

const api = vi.hoisted(() => vi.fn());
vi.mock('../session/current', () => ({ api }));

const { call } = await import('./call');

const businessId = '01900000-0000-7000-8000-000000000001';

beforeEach(() => {
  api.mockReset();
});

describe('a call of the contract', () => {
  it('takes verb and path from the method, and the rest into the query', () => {
    const { verb, path, query, body, headers } = outgoing(CallService.method.listCalls, {
      businessId,
      pageSize: 20,
    });
    expect([verb, path]).toEqual(['GET', `/v1/businesses/${businessId}/calls`]);
    expect(query?.toString()).toBe('pageSize=20');
    expect(body).toBeUndefined();
    expect(headers).toBeUndefined();
  });

  it('carries the fields of a message in the address by their names behind its own', () => {
    const { query } = outgoing(CallService.method.listCalls, {
      businessId: 'b1',
      filter: { firstDate: '2026-06-01', outcomes: [CallOutcome.BOOKED, CallOutcome.MOVED], hour: 0 },
    });
    expect(query?.toString()).toBe(
      'filter.firstDate=2026-06-01&filter.outcomes=CALL_OUTCOME_BOOKED&filter.outcomes=CALL_OUTCOME_MOVED&filter.hour=0',
    );
  });

  it('writes instants in the query as the contract’s JSON does', () => {
    const from = timestampFromDate(new Date('2026-03-29T01:00:00Z'));
    const { query } = outgoing(AppointmentService.method.listAppointments, { businessId, from });
    expect(query?.get('from')).toBe('2026-03-29T01:00:00Z');
  });

  it('keeps a custom verb behind its colon, and fields of the path out of the body', () => {
    const { verb, path, body } = outgoing(AppointmentService.method.cancelAppointment, {
      businessId,
      appointmentId: 'a/1',
      reason: 'ill',
    });
    expect([verb, path]).toEqual(['POST', `/v1/businesses/${businessId}/appointments/a%2F1:cancel`]);
    expect(body).toEqual({ reason: 'ill' });
  });

  it('sends PUT and DELETE as their methods say', () => {
    const put = outgoing(ScheduleService.method.setWeeklySchedule, {
      businessId,
      employeeId: 'e1',
      spans: [{ weekday: 1, fromMinute: 540, toMinute: 1080 }],
    });
    expect(put).toMatchObject({
      verb: 'PUT',
      body: { spans: [{ weekday: 1, fromMinute: 540, toMinute: 1080 }] },
    });
    const remove = outgoing(DemoCalendarService.method.deleteDemoEvent, {
      businessId,
      calendarId: 'c',
      eventId: 'e',
    });
    expect([remove.verb, remove.path]).toEqual([
      'DELETE',
      `/v1/businesses/${businessId}/calendars/c/events/e`,
    ]);
    expect(remove.body).toBeUndefined();
  });

  it('carries the idempotency key where the rule takes one, and nowhere else', () => {
    const book = outgoing(
      AppointmentService.method.bookAppointment,
      { businessId },
      { idempotencyKey: 'k1' },
    );
    expect(book.headers).toEqual({ 'Idempotency-Key': 'k1' });
    const fresh = outgoing(AppointmentService.method.bookAppointment, { businessId });
    expect(fresh.headers?.['Idempotency-Key']).toMatch(/^[0-9a-f-]{36}$/);
    const search = outgoing(
      AvailabilityService.method.searchAvailability,
      { businessId },
      { idempotencyKey: 'k1' },
    );
    expect(search.headers).toBeUndefined();
  });

  it('refuses to ask for a record without its id', () => {
    expect(() => outgoing(CallService.method.getCall, { businessId, callId: '' })).toThrow('needs call_id');
  });

  it('refuses methods the browser has no path to', () => {
    expect(() => outgoing(AvailabilityService.method.releaseCallHolds, { businessId })).toThrow(
      'no REST path',
    );
  });

  it('reads the answer by its schema, and lets newer doors say more', async () => {
    api.mockResolvedValue({
      appointment: { id: 'a1', state: 'APPOINTMENT_STATE_BOOKED', version: '9007199254740993', later: true },
      timeZone: 'Europe/London',
    });
    const { appointment, timeZone } = await call(AppointmentService.method.getAppointment, {
      businessId,
      appointmentId: 'a1',
    });
    expect(appointment?.state).toBe(AppointmentState.BOOKED);
    expect(appointment?.version).toBe(9007199254740993n);
    expect(timeZone).toBe('Europe/London');
  });

  it('fails on an answer that is not of the contract', async () => {
    api.mockResolvedValue({ appointment: { startsAt: 'tomorrow' } });
    await expect(
      call(AppointmentService.method.getAppointment, { businessId, appointmentId: 'a1' }),
    ).rejects.toThrow();
  });
});
