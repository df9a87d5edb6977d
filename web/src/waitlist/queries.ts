import { rpcPages } from '../api/query';
import { WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';

const PAGE = 50;

export const waitlistPages = (businessId: string) =>
  rpcPages(WaitlistService.method.listWaitlist, { businessId, pageSize: PAGE });
