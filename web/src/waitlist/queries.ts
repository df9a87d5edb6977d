import { infiniteQueryOptions } from '@tanstack/react-query';
import { rpcPages } from '../api/query';
import { WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';

const PAGE = 50;

/** Somebody new is on the list before their name has reached it; nothing tells when it has. */
const NAMELESS_MS = 2000;

export const waitlistPages = (businessId: string) =>
  infiniteQueryOptions({
    ...rpcPages(WaitlistService.method.listWaitlist, { businessId, pageSize: PAGE }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ waiting }) => waiting.some(({ entry }) => !entry?.customerName))
        ? NAMELESS_MS
        : false,
  });
