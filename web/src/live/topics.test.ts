import { create } from '@bufbuild/protobuf';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('../session/current', () => ({ api: vi.fn() }));

import { rpcPages, rpcQuery } from '../api/query';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { ChangedSchema, Topic } from '../gen/frontdesk/live/v1/live_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { DayService } from '../gen/frontdesk/scheduling/v1/day_pb';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { CustomerNoteService } from '../gen/frontdesk/tenancy/v1/customer_note_pb';
import { FollowUpService } from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import { readAgain } from './topics';

let queries: QueryClient;

const calls = (businessId: string) =>
  rpcPages(CallService.method.listCalls, { businessId, pageSize: 50 }).queryKey;
const call = rpcQuery(CallService.method.getCall, { businessId: 'b1', callId: 'c1' }).queryKey;
const appointments = rpcQuery(AppointmentService.method.listAppointments, { businessId: 'b1' }).queryKey;
const day = rpcQuery(DayService.method.getDay, { businessId: 'b1', firstDate: '2026-11-24' }).queryKey;
const notes = rpcPages(CustomerNoteService.method.listCustomerNotes, {
  businessId: 'b1',
  customerId: 'c1',
}).queryKey;
const followUps = rpcPages(FollowUpService.method.listFollowUps, { businessId: 'b1' }).queryKey;
const memberships = rpcQuery(AccountService.method.listMyMemberships, {}).queryKey;

const members = rpcPages(MemberService.method.listMembers, { businessId: 'b1', pageSize: 50 }).queryKey;

const stale = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated;
const change = (topic: Topic) => create(ChangedSchema, { businessId: 'b1', topic });

beforeEach(() => {
  queries = new QueryClient();
  const all: (readonly unknown[])[] = [
    calls('b1'),
    calls('b2'),
    call,
    appointments,
    notes,
    followUps,
    day,
    memberships,
    members,
  ];
  for (const key of all) queries.setQueryData(key, {});
});

describe('a change told by the live socket', () => {
  it('makes lists and records of its business stale, and of no other', async () => {
    await readAgain(queries, change(Topic.CALLS));
    expect([calls('b1'), call].map(stale)).toEqual([true, true]);
    expect([calls('b2'), appointments, memberships].map(stale)).toEqual([false, false, false]);
  });

  it('reaches everything a name is shown in', async () => {
    await readAgain(queries, change(Topic.CUSTOMERS));
    expect([calls('b1'), appointments, notes, followUps].map(stale)).toEqual([true, true, true, true]);
    expect(stale(memberships)).toBe(false);
  });

  it('reaches what belongs to no business when that is what changed', async () => {
    await readAgain(queries, change(Topic.MEMBERSHIPS));
    expect([memberships, members].map(stale)).toEqual([true, true]);
    expect(stale(call)).toBe(false);
  });

  it.each(
    [
      [Topic.BUSINESS, Topic.EMPLOYEES, Topic.CUSTOMERS, Topic.APPOINTMENTS],
      [Topic.SERVICES, Topic.CONFLICTS, Topic.BLOCKS, Topic.BUSY_SOURCES],
    ].flat(),
  )('of kind %s makes days stale', async (topic) => {
    await readAgain(queries, change(topic));
    expect(stale(day)).toBe(true);
  });

  it('of an unknown kind changes nothing', async () => {
    await readAgain(queries, change(99 as Topic));
    expect([calls('b1'), memberships].map(stale)).toEqual([false, false]);
  });
});

it('reads again what was first asked for before the change and is answered after it', async () => {
  const answers = ['before the change', 'after it'];
  const landed: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: ['frontdesk.telemetry.v1.CallService/ListCalls', { businessId: 'b1', pageSize: 7 }],
    queryFn: () => new Promise<string>((resolve) => landed.push(resolve)),
  });
  const stop = observer.subscribe(() => undefined);
  void readAgain(queries, change(Topic.CALLS));
  landed[0]?.(answers[0] ?? '');
  await vi.waitFor(() => expect(landed).toHaveLength(2));
  landed[1]?.(answers[1] ?? '');
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('after it'));
  stop();
});
