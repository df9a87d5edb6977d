import { infiniteQueryOptions } from '@tanstack/react-query';
import { rpcPages } from '../api/query';
import { WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';

const PAGE = 50;

/** An entry of a new customer may arrive before their name does; no event tells when the name is there. */
const NAMELESS_MS = 2000;

export const waitlistPages = (businessId: string) =>
  infiniteQueryOptions({
    ...rpcPages(WaitlistService.method.listWaitlist, { businessId, pageSize: PAGE }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ waiting }) => waiting.some(({ entry }) => !entry?.customerName))
        ? NAMELESS_MS
        : false,
  });
