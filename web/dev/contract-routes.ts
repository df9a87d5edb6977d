import {
  create,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  fromJson,
  getOption,
  type JsonValue,
  type Message,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf';
import { rule } from '../src/gen/frontdesk/access/v1/access_pb';
import { AccountService } from '../src/gen/frontdesk/auth/v1/account_pb';
import { FrontendService } from '../src/gen/frontdesk/auth/v1/frontend_pb';
import { AccountAdminService, MemberService } from '../src/gen/frontdesk/auth/v1/member_pb';
import { SecurityService } from '../src/gen/frontdesk/auth/v1/security_pb';
import { CalendarService } from '../src/gen/frontdesk/calendarsync/v1/calendar_pb';
import { HomeService } from '../src/gen/frontdesk/home/v1/home_pb';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { AvailabilityService } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import { BlockService } from '../src/gen/frontdesk/scheduling/v1/block_pb';
import { BookingPolicyService } from '../src/gen/frontdesk/scheduling/v1/booking_policy_pb';
import { CatalogueService } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import { DayService } from '../src/gen/frontdesk/scheduling/v1/day_pb';
import { DependencyService } from '../src/gen/frontdesk/scheduling/v1/dependency_pb';
import { ServiceIntelligenceService } from '../src/gen/frontdesk/scheduling/v1/intelligence_pb';
import { MatchingService } from '../src/gen/frontdesk/scheduling/v1/matching_pb';
import { OpeningExceptionService } from '../src/gen/frontdesk/scheduling/v1/opening_exception_pb';
import { PairingService } from '../src/gen/frontdesk/scheduling/v1/pairing_pb';
import { PatchTestService } from '../src/gen/frontdesk/scheduling/v1/patch_test_pb';
import { ProposalService } from '../src/gen/frontdesk/scheduling/v1/proposal_pb';
import { ResourceService } from '../src/gen/frontdesk/scheduling/v1/resource_pb';
import { ScheduleService } from '../src/gen/frontdesk/scheduling/v1/schedule_pb';
import { SeriesService } from '../src/gen/frontdesk/scheduling/v1/series_pb';
import { TimeOffService } from '../src/gen/frontdesk/scheduling/v1/time_off_pb';
import { WaitlistService } from '../src/gen/frontdesk/scheduling/v1/waitlist_pb';
import { CacheService } from '../src/gen/frontdesk/telemetry/v1/cache_pb';
import { CallService } from '../src/gen/frontdesk/telemetry/v1/call_pb';
import { BusinessService } from '../src/gen/frontdesk/tenancy/v1/business_pb';
import { CustomerNoteService } from '../src/gen/frontdesk/tenancy/v1/customer_note_pb';
import { CustomerService } from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import { EmployeeService } from '../src/gen/frontdesk/tenancy/v1/employee_pb';
import { FollowUpService } from '../src/gen/frontdesk/tenancy/v1/follow_up_pb';
import { http } from '../src/gen/google/api/annotations_pb';

const SERVICES: DescService[] = [
  AccountAdminService,
  AccountService,
  AppointmentService,
  AvailabilityService,
  BlockService,
  BookingPolicyService,
  BusinessService,
  CacheService,
  CalendarService,
  CallService,
  CatalogueService,
  CustomerNoteService,
  CustomerService,
  DayService,
  DependencyService,
  EmployeeService,
  FollowUpService,
  FrontendService,
  HomeService,
  MatchingService,
  MemberService,
  OpeningExceptionService,
  PairingService,
  PatchTestService,
  ProposalService,
  ResourceService,
  ScheduleService,
  SecurityService,
  SeriesService,
  ServiceIntelligenceService,
  TimeOffService,
  WaitlistService,
];

/** A method of the contract, found by verb and path, with its decoded request. */
export type Found = {
  method: DescMethodUnary;
  request: Record<string, unknown> & Message;
  leastRole: number;
  sensitive: boolean;
};

type Route = { verb: string; pattern: RegExp; fields: string[]; method: DescMethodUnary };

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === 'unary';

const routes: Route[] = SERVICES.flatMap((service) =>
  service.methods.filter(isUnary).flatMap((method) => {
    const { pattern } = getOption(method, http);
    if (pattern.case === undefined || pattern.case === 'custom') return [];
    const fields: string[] = [];
    const source = pattern.value.replace(/\{(\w+)\}/g, (_, field: string) => {
      fields.push(field);
      return '([^/:]+)';
    });
    return [{ verb: pattern.case.toUpperCase(), pattern: new RegExp(`^${source}$`), fields, method }];
  }),
);

/** Finds the method of a request; undefined if the contract has none. */
export function find(verb: string, url: URL, body: unknown): Found | undefined {
  for (const { verb: wanted, pattern, fields, method } of routes) {
    const match = wanted === verb && pattern.exec(url.pathname);
    if (!match) continue;
    const json: Record<string, JsonValue> = { ...(body as Record<string, JsonValue> | undefined) };
    for (const [name, value] of url.searchParams)
      json[name] = isBoolean(method, name) ? value === 'true' : value;
    for (const [index, field] of fields.entries()) json[field] = decodeURIComponent(match[index + 1] ?? '');
    // Unknown fields are an error here: the page may send only fields of the contract.
    const request = fromJson(method.input, json) as Found['request'];
    const { leastRole, sensitive } = getOption(method, rule);
    return { method, request, leastRole, sensitive };
  }
  return undefined;
}

/** Numbers may be texts in the contract's JSON, yes and no may not. */
function isBoolean({ input }: DescMethodUnary, name: string): boolean {
  return input.fields.some(({ jsonName, scalar }) => jsonName === name && scalar === ScalarType.BOOL);
}

export function encode(method: DescMethodUnary, answer: object): JsonValue {
  return toJson(method.output, create(method.output, answer as Record<string, unknown>), {
    alwaysEmitImplicit: true,
  });
}
