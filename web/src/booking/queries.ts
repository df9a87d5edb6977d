import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { rpcQuery } from '../api/query';
import {
  AvailabilityService,
  OfferRanking,
  type PartOfDay,
} from '../gen/frontdesk/scheduling/v1/availability_pb';
import { CatalogueService } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { dayAfter, instantOf } from '../time/local';
import type { Item } from './draft';

/** More than a day can have. */
const MOST_OFFERS = 200;
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
};

/** What there is on one day, the best first. */
export const offersQuery = ({ businessId, items, day, part, zone, customerId }: Day) =>
  rpcQuery(AvailabilityService.method.searchAvailability, {
    businessId,
    items,
    from: timestampFromDate(instantOf(day, 0, zone)),
    to: timestampFromDate(instantOf(dayAfter(day, 1), 0, zone)),
    partOfDay: part,
    ranking: OfferRanking.BEST,
    pageSize: MOST_OFFERS,
    customerId,
  });

/** Whether one start is free, and what is in its way. */
export const startQuery = (businessId: string, items: Item[], start: Date, customerId: string) =>
  rpcQuery(AvailabilityService.method.explainAvailability, {
    businessId,
    items,
    startsAt: timestampFromDate(start),
    language: 'en',
    customerId,
  });
