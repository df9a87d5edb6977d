import { rpcPages, rpcQuery } from '../api/query';
import { CalendarFeedService } from '../gen/frontdesk/calendarsync/v1/feed_pb';
import { BookingPolicyService } from '../gen/frontdesk/scheduling/v1/booking_policy_pb';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import {
  type AgentPublication,
  AgentPublicationService,
  AgentPublicationState,
  type ListAgentPublicationsResponse,
} from '../gen/frontdesk/tenancy/v1/agent_publication_pb';
import { AuditService } from '../gen/frontdesk/tenancy/v1/audit_pb';
import { VoiceConnectionService } from '../gen/frontdesk/tenancy/v1/voice_connection_pb';

const MOST = 200;
/** How soon what a platform has is read again, while it is called and while it is left alone. */
const SOON_MS = 1_000;
const LATER_MS = 10_000;

export const policyQuery = (businessId: string) =>
  rpcQuery(BookingPolicyService.method.getBookingPolicy, { businessId });

export const voiceConnectionsQuery = (businessId: string) =>
  rpcQuery(VoiceConnectionService.method.listVoiceConnections, { businessId, pageSize: MOST });

/** What a voice platform delivered that names no call. */
export const noticesQuery = (businessId: string, voiceConnectionId: string) =>
  rpcQuery(CallService.method.getNotices, { businessId, voiceConnectionId });

/** The addresses under which other calendars read what employees have to do. */
export const feedsQuery = (businessId: string) =>
  rpcQuery(CalendarFeedService.method.listCalendarFeeds, { businessId, pageSize: MOST });

/** Changes of records, the latest first; of one record if one is given. */
export const auditPages = (businessId: string, recordId: string) =>
  rpcPages(AuditService.method.listAuditEntries, { businessId, recordId, pageSize: 50 });

type Read = { state: { data?: ListAgentPublicationsResponse | undefined } };

/** What platforms have of the published agent; read again while something is under way there. */
export const agentPublicationsQuery = (businessId: string) => ({
  ...rpcQuery(AgentPublicationService.method.listAgentPublications, { businessId, pageSize: MOST }),
  refetchInterval: ({ state }: Read) => readAgain(state.data?.agentPublications ?? []),
});

function readAgain(publications: readonly AgentPublication[]): number | false {
  const waiting = publications.filter(({ state }) => state === AgentPublicationState.WAITING);
  if (publications.some(({ checking }) => checking) || waiting.some(({ error }) => !error)) return SOON_MS;
  return waiting.length > 0 && LATER_MS;
}
