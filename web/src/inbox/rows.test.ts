import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { CalendarSchema, EndingCalendarSchema } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { OfferSchema } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { ConflictSchema } from '../gen/frontdesk/scheduling/v1/conflict_pb';
import { ProposalSchema } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { StrandedAppointmentSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { WaitingCustomerSchema } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { AgentPublicationSchema } from '../gen/frontdesk/tenancy/v1/agent_publication_pb';
import { ErasureSchema } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import { countOf, type Read, rowsOf, unitText } from './rows';

const NOTHING: Read = {
  stranded: [],
  conflicts: [],
  followUps: [],
  proposals: [],
  timeOff: [],
  waiting: [],
  calendars: [],
  ending: [],
  unmapped: [],
  lines: [],
  erasures: [],
};

const absence = (openLineCount: number, applicableLineCount: number) =>
  create(ProposalSchema, { cause: { case: 'absence', value: {} }, openLineCount, applicableLineCount });

describe('the rows of the inbox', () => {
  it('count every stranded visit, whether or not a proposal names it', () => {
    const stranded = ['a', 'b'].map((appointmentId) => create(StrandedAppointmentSchema, { appointmentId }));
    expect(countOf(rowsOf({ ...NOTHING, stranded }))).toBe(2);
    expect(countOf(rowsOf({ ...NOTHING, stranded, proposals: [absence(2, 1)] }))).toBe(3);
  });

  it('leave out proposals with nothing to decide', () => {
    const delay = create(ProposalSchema, { cause: { case: 'delay', value: {} }, openLineCount: 1 });
    const settled = create(ProposalSchema, { cause: { case: 'delay', value: {} } });
    const proposals = [absence(2, 0), delay, settled];
    expect(rowsOf({ ...NOTHING, proposals }).proposals).toEqual([delay]);
  });

  it('name who waits only where a time is free', () => {
    const waiting = [
      create(WaitingCustomerSchema, { entry: { id: 'x' } }),
      create(WaitingCustomerSchema, { entry: { id: 'y' }, offer: create(OfferSchema) }),
    ];
    expect(rowsOf({ ...NOTHING, waiting }).waiting.map(({ id }) => id)).toEqual(['y']);
  });

  it('name each visit that a calendar refused, and leave those that wait to the row of a calendar that stopped', () => {
    const [refused, waits] = [true, false].map((isRefused) => ({ appointmentId: `${isRefused}`, isRefused }));
    const visits = { unwritten: [refused ?? {}, waits ?? {}], unwrittenCount: 2 };
    const reached = create(CalendarSchema, { id: 'reached', ...visits });
    const stopped = create(CalendarSchema, { id: 'stopped', lastError: 'no answer', ...visits });
    const rows = rowsOf({ ...NOTHING, calendars: [reached, stopped] });
    expect(rows.unwritten.map(({ id }) => id)).toEqual(['reached true', 'reached false', 'stopped true']);
    expect(rows.stopped.map(({ id }) => id)).toEqual(['stopped']);
    expect(countOf(rows)).toBe(4);
  });

  it('name what appointments can not be taken out of, and nothing where that goes on', () => {
    const ending = [
      create(EndingCalendarSchema, { id: 'goes on', cleanup: { eventCount: 3, leftCount: 2 } }),
      create(EndingCalendarSchema, { id: 'fails', cleanup: { leftCount: 2, fault: 'no answer' } }),
      create(EndingCalendarSchema, { id: 'barred', cleanup: { leftCount: 2 }, authorizationRequired: true }),
    ];
    expect(rowsOf({ ...NOTHING, ending }).ending.map(({ id }) => id)).toEqual(['fails', 'barred']);
    expect(countOf(rowsOf({ ...NOTHING, ending }))).toBe(2);
  });

  it('name the lines on which something is broken', () => {
    const lines = [
      create(AgentPublicationSchema, { voiceConnectionId: 'well' }),
      create(AgentPublicationSchema, { voiceConnectionId: 'broken', needsOwner: true }),
    ];
    expect(rowsOf({ ...NOTHING, lines }).lines.map(({ id }) => id)).toEqual(['broken']);
  });

  it('name erasures that take longer than they should', () => {
    const erasures = [
      create(ErasureSchema, { customerId: 'just begun' }),
      create(ErasureSchema, { customerId: 'hangs', late: true }),
    ];
    expect(rowsOf({ ...NOTHING, erasures }).erasures.map(({ id }) => id)).toEqual(['hangs']);
  });

  it('are none where nothing was read', () => {
    expect(countOf(rowsOf(NOTHING))).toBe(0);
    expect(countOf(rowsOf({ ...NOTHING, conflicts: [create(ConflictSchema)] }))).toBe(1);
  });
});

describe('the figures of the inbox', () => {
  it('say what they count, and when there may be more', () => {
    expect(unitText('stranded', 1, false)).toBe('1 customer');
    expect(unitText('conflicts', 200, true)).toBe('At least 200 conflicts');
    expect(unitText('followUps', 3, false)).toBe('3 messages');
  });
});
