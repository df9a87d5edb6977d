import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call';
import { rpcQuery } from '../api/query';
import {
  AvailabilityService,
  OfferRanking,
  type PartOfDay,
} from '../gen/frontdesk/scheduling/v1/availability_pb';
import { CatalogueService } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { dayAfter, instantOf } from '../time/local';
import type { Item } from './draft';

/** As many as one answer has. A day of 24 hours has 288 starts. */
const OFFERS_PER_PAGE = 200;
const MOST_SERVICES = 200;

export const bookableServicesQuery = (businessId: string) =>
  rpcQuery(CatalogueService.method.listServices, { businessId, pageSize: MOST_SERVICES });

type Day = {
  businessId: string;
  items: Item[];
  day: string;
  part: PartOfDay;
  zone: string;
  customerId: string;
  /** A visit whose time counts as free: it is to be moved. */
  without?: string;
};

const withoutVisit = (id: string | undefined) => (id ? { hypothesis: { withoutVisitIds: [id] } } : {});

/** All there is on one day, the best first. */
export function offersQuery({ businessId, items, day, part, zone, customerId, without }: Day) {
  const method = AvailabilityService.method.searchAvailability;
  const input = {
    businessId,
    items,
    from: timestampFromDate(instantOf(day, 0, zone)),
    to: timestampFromDate(instantOf(dayAfter(day, 1), 0, zone)),
    partOfDay: part,
    ranking: OfferRanking.BEST,
    pageSize: OFFERS_PER_PAGE,
    customerId,
    ...withoutVisit(without),
  };
  return queryOptions({
    ...rpcQuery(method, input),
    queryFn: async ({ signal }) => {
      const whole = await call(method, input, { signal });
      for (let pageToken = whole.nextPageToken; pageToken; ) {
        const page = await call(method, { ...input, pageToken }, { signal });
        whole.offers.push(...page.offers);
        pageToken = page.nextPageToken;
      }
      return whole;
    },
  });
}

const DAYS_AHEAD = 14;
const DAY_MS = 86_400_000;

/** The earliest free time of the two weeks from an instant, or the first one after them. */
export function laterQuery(
  { businessId, items, part, customerId, without }: Omit<Day, 'day' | 'zone'>,
  from: Date,
) {
  return rpcQuery(AvailabilityService.method.searchAvailability, {
    businessId,
    items,
    from: timestampFromDate(from),
    to: timestampFromDate(new Date(from.getTime() + DAYS_AHEAD * DAY_MS)),
    partOfDay: part,
    ranking: OfferRanking.EARLIEST,
    pageSize: 1,
    customerId,
    ...withoutVisit(without),
  });
}

/** The earliest free time of the next two weeks. */
export function earliestQuery(businessId: string, items: Item[]) {
  const from = new Date();
  // To the minute, so that the same question has one answer.
  from.setSeconds(0, 0);
  const to = new Date(from.getTime() + DAYS_AHEAD * DAY_MS);
  return rpcQuery(AvailabilityService.method.searchAvailability, {
    businessId,
    items,
    from: timestampFromDate(from),
    to: timestampFromDate(to),
    ranking: OfferRanking.EARLIEST,
    pageSize: 1,
  });
}

/** Whether one start is free, and what is in its way. */
export const startQuery = (
  businessId: string,
  items: Item[],
  start: Date,
  customerId: string,
  without = '',
) =>
  rpcQuery(AvailabilityService.method.explainAvailability, {
    businessId,
    items,
    startsAt: timestampFromDate(start),
    language: 'en',
    customerId,
    ...withoutVisit(without),
  });
