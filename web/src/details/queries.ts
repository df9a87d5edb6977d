import { rpcPages, rpcQuery } from '../api/query';
import { BookingPolicyService } from '../gen/frontdesk/scheduling/v1/booking_policy_pb';
import { OpeningExceptionService } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import { AuditService } from '../gen/frontdesk/tenancy/v1/audit_pb';
import { VoiceConnectionService } from '../gen/frontdesk/tenancy/v1/voice_connection_pb';

const MOST = 200;

/** Closures and special hours from a date on. */
export const closuresQuery = (businessId: string, fromDate: string) =>
  rpcQuery(OpeningExceptionService.method.listOpeningExceptions, { businessId, fromDate, pageSize: MOST });

export const policyQuery = (businessId: string) =>
  rpcQuery(BookingPolicyService.method.getBookingPolicy, { businessId });

export const voiceConnectionsQuery = (businessId: string) =>
  rpcQuery(VoiceConnectionService.method.listVoiceConnections, { businessId, pageSize: MOST });

/** Changes of records, the latest first; of one record if one is given. */
export const auditPages = (businessId: string, recordId: string) =>
  rpcPages(AuditService.method.listAuditEntries, { businessId, recordId, pageSize: 50 });
