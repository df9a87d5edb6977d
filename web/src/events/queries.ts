import { keepPreviousData } from '@tanstack/react-query';
import { rpcPages, rpcQuery } from '../api/query';
import { AccountAdminService } from '../gen/frontdesk/auth/v1/member_pb';
import { ProductEventService } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { viewerZone } from '../time/zoned';
import { type EventWish, filterOf, STEPS, stepMinutes } from './wish';

const PAGE = 50;
/** The live tail looks so often. */
const TAIL_MS = 2000;

/** Events that pass a filter, newest first; with the tail, the first page is read again and again. */
export const eventPages = (wish: EventWish, now: Date, tail: boolean) => ({
  ...rpcPages(ProductEventService.method.listProductEvents, {
    filter: filterOf(wish, now, viewerZone()),
    pageSize: PAGE,
  }),
  placeholderData: keepPreviousData,
  refetchInterval: tail ? TAIL_MS : (false as const),
});

/** How many of them there were over time. */
export const eventCounts = (wish: EventWish, now: Date) => ({
  ...rpcQuery(ProductEventService.method.countProductEvents, {
    filter: filterOf(wish, now, viewerZone()),
    steps: STEPS[wish.hours],
    // Minutes are as long everywhere, and an hour that the clock shows twice is no span by it.
    zone: stepMinutes(wish) === 1 ? '' : viewerZone(),
  }),
  placeholderData: keepPreviousData,
});

/** So many names are asked for at once. */
const MOST_NAMES = 200;

/** What some people are called. The tail adds people while it runs: those before stay named. */
export const accountNamesQuery = (userIds: readonly string[]) => ({
  ...rpcQuery(AccountAdminService.method.listAccountNames, { userIds: userIds.slice(0, MOST_NAMES) }),
  enabled: userIds.length > 0,
  placeholderData: keepPreviousData,
});
