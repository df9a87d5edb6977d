import type { DescService } from '@bufbuild/protobuf';
import type { Query, QueryClient } from '@tanstack/react-query';
import type { RpcKey } from '../api/query';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { type Changed, Topic } from '../gen/frontdesk/live/v1/live_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { AvailabilityService } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { BookingPolicyService } from '../gen/frontdesk/scheduling/v1/booking_policy_pb';
import { CatalogueService } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { CustomerFiguresService } from '../gen/frontdesk/scheduling/v1/customer_figures_pb';
import { DayService } from '../gen/frontdesk/scheduling/v1/day_pb';
import { DependencyService } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { MatchingService } from '../gen/frontdesk/scheduling/v1/matching_pb';
import { OpeningExceptionService } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import { PairingService } from '../gen/frontdesk/scheduling/v1/pairing_pb';
import { ProposalService } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { ResourceService } from '../gen/frontdesk/scheduling/v1/resource_pb';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { SeriesService } from '../gen/frontdesk/scheduling/v1/series_pb';
import { TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { InsightService } from '../gen/frontdesk/telemetry/v1/insight_pb';
import { RecordingService } from '../gen/frontdesk/telemetry/v1/recording_pb';
import { BusinessService } from '../gen/frontdesk/tenancy/v1/business_pb';
import { CustomerMergeService } from '../gen/frontdesk/tenancy/v1/customer_merge_pb';
import { CustomerNoteService } from '../gen/frontdesk/tenancy/v1/customer_note_pb';
import { CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { CustomerRecordService } from '../gen/frontdesk/tenancy/v1/customer_record_pb';
import { EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { ErasureService } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import { FollowUpService } from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import { ItemService } from '../gen/frontdesk/tenancy/v1/item_pb';
import { StockService } from '../gen/frontdesk/tenancy/v1/stock_pb';

/** Whose answers a change makes stale. Names travel along in appointments and calls. */
const STALE: Record<Topic, readonly DescService[]> = {
  [Topic.UNSPECIFIED]: [],
  [Topic.BUSINESS]: [BusinessService, DayService, ScheduleService, AccountService],
  [Topic.EMPLOYEES]: [EmployeeService, AppointmentService, DayService],
  [Topic.CUSTOMERS]: [
    CustomerService,
    CustomerMergeService,
    CustomerNoteService,
    CustomerRecordService,
    ErasureService,
    AppointmentService,
    CallService,
    DayService,
    FollowUpService,
    ProposalService,
    RecordingService,
    WaitlistService,
  ],
  // A visit changes the free times, for searches and for the waitlist; proposals and time off name visits.
  [Topic.APPOINTMENTS]: [
    AppointmentService,
    CustomerFiguresService,
    DayService,
    SeriesService,
    AvailabilityService,
    WaitlistService,
    ProposalService,
    TimeOffService,
  ],
  // What is sold and when people work are one schedule; what a phrase may mean goes by names and aliases.
  [Topic.SERVICES]: [
    BookingPolicyService,
    CatalogueService,
    DayService,
    DependencyService,
    OpeningExceptionService,
    ResourceService,
    ScheduleService,
    TimeOffService,
    AvailabilityService,
    MatchingService,
  ],
  [Topic.CALLS]: [CallService, InsightService, RecordingService],
  [Topic.CONFLICTS]: [AppointmentService, DayService],
  [Topic.BLOCKS]: [DayService, AvailabilityService],
  [Topic.MEMBERSHIPS]: [AccountService, MemberService],
  [Topic.PHRASES]: [MatchingService],
  [Topic.PAIRINGS]: [PairingService],
  [Topic.WAITLIST]: [WaitlistService, ProposalService],
  [Topic.PROPOSALS]: [ProposalService],
  [Topic.FOLLOW_UPS]: [FollowUpService],
  [Topic.ITEMS]: [ItemService, StockService],
  // Days and free times say as of when calendars are known.
  [Topic.BUSY_SOURCES]: [DayService, AvailabilityService],
};

/** Reads again what a change touched, on screen now; the rest when it is next looked at. */
export function readAgain(queries: QueryClient, change: Changed): Promise<void> {
  const services = (STALE[change.topic] ?? []).map((service) => `${service.typeName}/`);
  return readStale(queries, ({ queryKey }) => {
    const [method, input] = queryKey as unknown as RpcKey;
    if (!services.some((service) => method.startsWith(service))) return false;
    const { businessId } = input;
    return businessId === undefined || businessId === change.businessId;
  });
}

/** Reads again what is stale, also where the first answer is still on its way: it may have been given before the change. */
export function readStale(queries: QueryClient, isStale: (query: Query) => boolean): Promise<void> {
  // A first read is not begun anew by itself, and what it brings would count as fresh.
  for (const query of queries.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: isStale })) {
    const again = () => queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    if (query.state.data === undefined) query.promise?.then(again, () => undefined);
  }
  return queries.invalidateQueries({ predicate: isStale });
}
