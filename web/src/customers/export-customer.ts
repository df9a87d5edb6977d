import { type DescMessage, type JsonObject, type MessageShape, toJson } from '@bufbuild/protobuf';
import { call } from '../api/call';
import {
  AppointmentService,
  ListCustomerAppointmentsResponseSchema,
} from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { ListWaitlistResponseSchema, WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { CallService, GetCallResponseSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import {
  RecordingSchema,
  RecordingService,
  RecordingState,
} from '../gen/frontdesk/telemetry/v1/recording_pb';
import { CustomerExportService } from '../gen/frontdesk/tenancy/v1/customer_export_pb';
import {
  CustomerNoteService,
  ListCustomerNotesResponseSchema,
} from '../gen/frontdesk/tenancy/v1/customer_note_pb';
import { type Customer, CustomerSchema } from '../gen/frontdesk/tenancy/v1/customer_pb';
import {
  CustomerRecordService,
  ListConsentChangesResponseSchema,
  ListFormulasResponseSchema,
  ListPatchTestsResponseSchema,
} from '../gen/frontdesk/tenancy/v1/customer_record_pb';
import {
  FollowUpService,
  FollowUpState,
  ListFollowUpsResponseSchema,
} from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import { paths } from '../paths';
import { saveFile } from '../ui/save-file';

const PAGE = 200;
/** What the waitlist lists at most. */
const WAITLIST_PAGE = 50;

/** Saves everything that is kept of one customer. It is noted, and the owners are told. */
export async function saveCustomer(businessId: string, customer: Customer): Promise<void> {
  const customerId = customer.id;
  const of = { businessId, customerId };
  await call(CustomerExportService.method.beginCustomerExport, of, { idempotencyKey: crypto.randomUUID() });
  const records = CustomerRecordService.method;
  const callIds = await callsOf(of);
  const known = {
    customer: toJson(CustomerSchema, customer),
    notes: await pages(ListCustomerNotesResponseSchema, 'notes', (pageToken) =>
      call(CustomerNoteService.method.listCustomerNotes, { ...of, pageSize: PAGE, pageToken }),
    ),
    patchTests: listed(ListPatchTestsResponseSchema, 'patchTests', await call(records.listPatchTests, of)),
    formulas: listed(ListFormulasResponseSchema, 'formulas', await call(records.listFormulas, of)),
    consentChanges: listed(
      ListConsentChangesResponseSchema,
      'changes',
      await call(records.listConsentChanges, of),
    ),
    visits: await pages(ListCustomerAppointmentsResponseSchema, 'appointments', (pageToken) =>
      call(AppointmentService.method.listCustomerAppointments, { ...of, pageSize: PAGE, pageToken }),
    ),
    waitlist: await pages(ListWaitlistResponseSchema, 'waiting', (pageToken) =>
      call(WaitlistService.method.listWaitlist, { ...of, pageSize: WAITLIST_PAGE, pageToken }),
    ),
    followUps: await followUps(of),
    // Left by a caller who was not recognised.
    followUpsOfNumber: customer.phone ? await followUps({ businessId, phone: customer.phone }) : [],
    calls: await inTurn(callIds, (callId) => wholeCall(businessId, callId)),
  };
  saveFile(`${customer.name}.json`, JSON.stringify(known, null, 2), 'application/json');
}

type Of = { businessId: string; customerId: string };

async function callsOf(of: Of): Promise<string[]> {
  const ids: string[] = [];
  let pageToken = '';
  do {
    const page = await call(CallService.method.listCalls, { ...of, pageSize: PAGE, pageToken });
    ids.push(...page.calls.map(({ id }) => id));
    pageToken = page.nextPageToken;
  } while (pageToken);
  return ids;
}

/** A call with what was said, done and noted in it, what followed from it, and where its recording is. */
async function wholeCall(businessId: string, callId: string) {
  const [told, { recording }, followed] = await Promise.all([
    call(CallService.method.getCall, { businessId, callId }),
    call(RecordingService.method.getRecording, { businessId, callId }),
    followUps({ businessId, callId }),
  ]);
  return {
    ...(toJson(GetCallResponseSchema, told) as object),
    followUps: followed,
    ...(recording && {
      recording: toJson(RecordingSchema, recording),
      ...(recording.state === RecordingState.KEPT && {
        recordingIsDownloadedAt: `${window.location.origin}${paths.call(businessId, callId)}`,
      }),
    }),
  };
}

/** Follow-ups that are open, and those that are done. */
async function followUps(of: { businessId: string; customerId?: string; callId?: string; phone?: string }) {
  const inState = (state: FollowUpState) =>
    pages(ListFollowUpsResponseSchema, 'followUps', (pageToken) =>
      call(FollowUpService.method.listFollowUps, { ...of, state, pageSize: PAGE, pageToken }),
    );
  return [...(await inState(FollowUpState.OPEN)), ...(await inState(FollowUpState.DONE))];
}

/** One after another, so that a person of many calls is no burst of requests. */
async function inTurn<T, U>(items: readonly T[], read: (item: T) => Promise<U>): Promise<U[]> {
  const all: U[] = [];
  for (const item of items) all.push(await read(item));
  return all;
}

/** What a list answered: the entries of its field of this name. */
function listed<O extends DescMessage>(schema: O, field: string, answer: MessageShape<O>): unknown[] {
  const entries = (toJson(schema, answer) as JsonObject)[field];
  return Array.isArray(entries) ? entries : [];
}

/** The entries of every page of a list. */
async function pages<O extends DescMessage>(
  schema: O,
  field: string,
  read: (pageToken: string) => Promise<MessageShape<O>>,
): Promise<unknown[]> {
  const all: unknown[] = [];
  let pageToken = '';
  do {
    const page = await read(pageToken);
    all.push(...listed(schema, field, page));
    pageToken = (page as { nextPageToken?: string }).nextPageToken ?? '';
  } while (pageToken);
  return all;
}
