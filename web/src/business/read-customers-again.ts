import { queries } from '../api/query-client';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { CustomerFiguresService } from '../gen/frontdesk/scheduling/v1/customer_figures_pb';
import { WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { CustomerMergeService } from '../gen/frontdesk/tenancy/v1/customer_merge_pb';
import { CustomerNoteService } from '../gen/frontdesk/tenancy/v1/customer_note_pb';
import { CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { CustomerRecordService } from '../gen/frontdesk/tenancy/v1/customer_record_pb';
import { ErasureService } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import { FollowUpService } from '../gen/frontdesk/tenancy/v1/follow_up_pb';

const SHOWING_CUSTOMERS = [
  AppointmentService,
  CallService,
  CustomerFiguresService,
  CustomerMergeService,
  CustomerNoteService,
  CustomerRecordService,
  CustomerService,
  ErasureService,
  FollowUpService,
  WaitlistService,
].map(({ typeName }) => `${typeName}/`);

/** Services that name customers have heard of a change by then. */
const HEARD_MS = 1500;

/** Invalidates all queries that show customers, now and once all services have heard of the change. */
export async function readCustomersAgain(): Promise<void> {
  setTimeout(() => void read(), HEARD_MS);
  await read();
}

const read = () =>
  queries.invalidateQueries({
    predicate: ({ queryKey }) => SHOWING_CUSTOMERS.some((service) => String(queryKey[0]).startsWith(service)),
  });
