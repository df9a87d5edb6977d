import { rpcPages } from '../api/query';
import { FollowUpService, FollowUpState } from '../gen/frontdesk/tenancy/v1/follow_up_pb';

const PAGE = 50;

/** Open follow-ups, the soonest due first. */
export const followUpPages = (businessId: string) =>
  rpcPages(FollowUpService.method.listFollowUps, { businessId, state: FollowUpState.OPEN, pageSize: PAGE });
