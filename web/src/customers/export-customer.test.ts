import { create, toJson } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListCustomerAppointmentsResponseSchema } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { ListWaitlistResponseSchema } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { GetCallResponseSchema, ListCallsResponseSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import { GetRecordingResponseSchema, RecordingState } from '../gen/frontdesk/telemetry/v1/recording_pb';
import { CustomerSchema } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { FollowUpState, ListFollowUpsResponseSchema } from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import type { Outgoing } from '../http/transport';
import { refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
const saveFile = vi.hoisted(() => vi.fn());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, onEnd: () => () => undefined },
  tabStorage: undefined,
}));
vi.mock('../ui/save-file', () => ({ saveFile }));

const { saveCustomer } = await import('./export-customer');

const BUSINESS = '01900000-0000-7000-8000-000000000001';
const BASE = `/v1/businesses/${BUSINESS}`;
const ana = create(CustomerSchema, { id: 'ana', name: 'Ana', phone: '+447700900123' });

/** Follow-ups by what they are listed by; each is open. */
const FOLLOW_UPS: Record<string, string> = {
  customerId: 'Send Ana the list',
  phone: 'Call the number back',
  callId: 'Ask about colours',
};

function followUps(query: URLSearchParams | undefined) {
  const by = Object.keys(FOLLOW_UPS).find((name) => query?.has(name)) ?? '';
  const open =
    query?.get('state') !== String(FollowUpState.DONE) && query?.get('state') !== 'FOLLOW_UP_STATE_DONE';
  return { followUps: open ? [{ id: by, text: FOLLOW_UPS[by] ?? 'of someone else' }] : [] };
}

beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'https://desk.test' } });
  saveFile.mockReset();
  api.mockReset();
  api.mockImplementation(async ({ path, query }) => {
    if (path === `${BASE}/calls`)
      return toJson(
        ListCallsResponseSchema,
        create(
          ListCallsResponseSchema,
          query?.get('pageToken') ? { calls: [{ id: 'c2' }] } : { calls: [{ id: 'c1' }], nextPageToken: '2' },
        ),
      );
    if (path.endsWith('/recording'))
      return toJson(
        GetRecordingResponseSchema,
        create(
          GetRecordingResponseSchema,
          path.includes('/c1/') ? { recording: { state: RecordingState.KEPT } } : {},
        ),
      );
    if (path.startsWith(`${BASE}/calls/`))
      return toJson(
        GetCallResponseSchema,
        create(GetCallResponseSchema, {
          call: { id: path.slice(-2) },
          turns: [{ text: `Said in ${path.slice(-2)}` }],
          notes: [{ id: 'n', text: `Noted in ${path.slice(-2)}` }],
        }),
      );
    if (path === `${BASE}/follow-ups`)
      return toJson(ListFollowUpsResponseSchema, create(ListFollowUpsResponseSchema, followUps(query)));
    if (path === `${BASE}/waitlist`)
      return toJson(
        ListWaitlistResponseSchema,
        create(ListWaitlistResponseSchema, {
          waiting:
            query?.get('customerId') === 'ana' ? [{ entry: { id: 'w', note: 'Any day with sun' } }] : [],
        }),
      );
    if (path.includes('appointments'))
      return toJson(
        ListCustomerAppointmentsResponseSchema,
        create(ListCustomerAppointmentsResponseSchema, { appointments: [{ id: 'v', notes: 'A visit' }] }),
      );
    return {};
  });
});
afterEach(() => vi.unstubAllGlobals());

it('saves all that is kept of a person, and says where recordings are', async () => {
  await saveCustomer(BUSINESS, ana);
  const [name, text] = saveFile.mock.calls[0] as [string, string];
  expect(name).toBe('Ana.json');
  for (const kept of [
    'A visit',
    'Any day with sun',
    'Send Ana the list',
    'Call the number back',
    'Ask about colours',
    'Said in c1',
    'Noted in c1',
    'Said in c2',
    'Noted in c2',
  ])
    expect(text).toContain(kept);
  expect(text).not.toContain('of someone else');
  const saved = JSON.parse(text) as { calls: { recordingIsDownloadedAt?: string }[] };
  const { calls } = saved;
  // Lists of records, without the pages that they came in.
  expect(saved).toMatchObject({
    notes: [],
    patchTests: [],
    consentChanges: [],
    visits: [{ id: 'v' }],
    waitlist: [{ entry: { id: 'w' } }],
    followUps: [{ text: 'Send Ana the list' }],
  });
  expect(calls.map(({ recordingIsDownloadedAt }) => recordingIsDownloadedAt)).toEqual([
    `https://desk.test/${BUSINESS}/calls/c1`,
    undefined,
  ]);
});

it('reads nothing before the export is noted, and saves nothing where a part fails', async () => {
  await saveCustomer(BUSINESS, ana);
  expect(api.mock.calls[0]?.[0]).toMatchObject({ verb: 'POST', body: { customerId: 'ana' } });
  saveFile.mockReset();
  api.mockRejectedValue(refused(403, 'ROLE_TOO_LOW'));
  await expect(saveCustomer(BUSINESS, ana)).rejects.toThrow();
  expect(saveFile).not.toHaveBeenCalled();
});
