import { type DescMessage, type MessageShape, toJson } from '@bufbuild/protobuf';
import { call } from '../api/call';
import {
  AppointmentService,
  ListCustomerAppointmentsResponseSchema,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { CallService, ListCallsResponseSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
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
import { saveFile, saveTable } from '../ui/save-file';

const PAGE = 200;

/** Saves all customers as a table. It is noted, and the owners are told. */
export async function saveAllCustomers(businessId: string): Promise<void> {
  const { exportId } = await call(
    CustomerExportService.method.beginCustomerExport,
    { businessId },
    { idempotencyKey: crypto.randomUUID() },
  );
  const parts: string[] = [];
  let pageToken = '';
  do {
    const part = await call(CustomerExportService.method.readCustomerExport, {
      businessId,
      exportId,
      pageToken,
    });
    parts.push(part.csv);
    pageToken = part.nextPageToken;
  } while (pageToken);
  saveTable('customers.csv', parts.join(''));
}

/** Saves everything that is known of one customer. It is noted, and the owners are told. */
export async function saveCustomer(businessId: string, customer: Customer): Promise<void> {
  const customerId = customer.id;
  const of = { businessId, customerId };
  await call(CustomerExportService.method.beginCustomerExport, of, { idempotencyKey: crypto.randomUUID() });
  const records = CustomerRecordService.method;
  const known = {
    customer: toJson(CustomerSchema, customer),
    notes: await pages(ListCustomerNotesResponseSchema, (pageToken) =>
      call(CustomerNoteService.method.listCustomerNotes, { ...of, pageSize: PAGE, pageToken }),
    ),
    patchTests: toJson(ListPatchTestsResponseSchema, await call(records.listPatchTests, of)),
    formulas: toJson(ListFormulasResponseSchema, await call(records.listFormulas, of)),
    consentChanges: toJson(ListConsentChangesResponseSchema, await call(records.listConsentChanges, of)),
    visits: await pages(ListCustomerAppointmentsResponseSchema, (pageToken) =>
      call(AppointmentService.method.listCustomerAppointments, { ...of, pageSize: PAGE, pageToken }),
    ),
    calls: await pages(ListCallsResponseSchema, (pageToken) =>
      call(CallService.method.listCalls, { ...of, pageSize: PAGE, pageToken }),
    ),
  };
  saveFile(`${customer.name}.json`, JSON.stringify(known, null, 2), 'application/json');
}

/** Every page of a list, as it is answered. */
async function pages<O extends DescMessage>(
  schema: O,
  read: (pageToken: string) => Promise<MessageShape<O>>,
): Promise<unknown[]> {
  const all: unknown[] = [];
  let pageToken = '';
  do {
    const page = await read(pageToken);
    all.push(toJson(schema, page));
    pageToken = (page as { nextPageToken?: string }).nextPageToken ?? '';
  } while (pageToken);
  return all;
}
