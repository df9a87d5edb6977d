import { rpcQuery } from '../api/query';
import { TimeOffService, TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { AgentPublicationService } from '../gen/frontdesk/tenancy/v1/agent_publication_pb';

const MOST = 200;

export const requestedTimeOffQuery = (businessId: string) =>
  rpcQuery(TimeOffService.method.listTimeOff, {
    businessId,
    state: TimeOffState.REQUESTED,
    pageSize: MOST,
  });

/** No event tells of what happens at a platform. */
const LINES_AGAIN_MS = 5 * 60_000;

/** The voice connections, and what their platforms have. */
export const linesQuery = (businessId: string) => ({
  ...rpcQuery(AgentPublicationService.method.listAgentPublications, { businessId, pageSize: MOST }),
  refetchInterval: LINES_AGAIN_MS,
});
