import { useQueries, useQuery } from '@tanstack/react-query';
import { readOffersAgain } from '../business/read-visits-again';
import { together } from '../day/freshness';
import type { ExplainAvailabilityResponse, Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { BusySource } from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { instantOf } from '../time/local';
import { type Draft, handsMatter, type Item, isSearchable, itemsOf, visitsOf } from './draft';
import { ranked, startsAt, withFirst } from './offers';
import { offersQuery, startQuery } from './queries';

export type Found = {
  /** Something is chosen that can be looked for. */
  searchable: boolean;
  items: Item[];
  offers: Offer[];
  /** Where the day has nothing: the first after it. */
  next: Offer | undefined;
  /** The offer at the start that the customer asked for. */
  asked: Offer | undefined;
  /** What is known about that start. */
  answer: ExplainAvailabilityResponse | undefined;
  /** Why that start can't be had, in a sentence. */
  whyNot: string;
  /** The calendars that all of it depends on. */
  sources: BusySource[];
  loading: boolean;
  error: Error | null;
  retry: () => void;
};

type Wanted = {
  businessId: string;
  draft: Draft;
  services: Service[];
  customerId: string;
  zone: string;
  /** A visit whose time counts as free: it is to be moved. */
  without?: string;
};

/** Free times for a draft, looked for as it changes. */
export function useOffers(wanted: Wanted): Found {
  const { businessId, draft, services, customerId, zone, without = '' } = wanted;
  const searchable = isSearchable(draft);
  const visits = searchable ? visitsOf(draft, services) : [];
  const { day, part, start } = draft;
  const searches = useQueries({
    queries: visits.map((items) => offersQuery({ businessId, items, day, part, zone, customerId, without })),
  });
  const items = itemsOf(draft);
  const asking = searchable && start !== null;
  const askedStart = instantOf(day, start ?? 0, zone);
  const explained = useQuery({
    ...startQuery(businessId, items, askedStart, customerId, without),
    enabled: asking,
  });
  const answer = asking ? explained.data : undefined;
  const offers = ranked(searches.map(({ data }) => data?.offers ?? []));
  // How the work is shared is asked of the searches; an explanation knows nothing of it.
  const shares = draft.hands !== 'any' && handsMatter(draft);
  const asked = shares ? offers.find((offer) => asking && startsAt(offer, askedStart)) : answer?.offer;
  const failed = searches.find(({ error }) => error);
  return {
    searchable,
    items,
    offers: withFirst(offers, asked),
    next: earliest(searches.flatMap(({ data }) => data?.nextOffer ?? [])),
    asked,
    answer,
    whyNot: whyNotOf(answer, asking ? explained.error : null),
    sources: together([...searches.map(({ data }) => data?.sources ?? []), answer?.sources ?? []]),
    loading: searches.some(({ isPending }) => isPending) || (asking && explained.isLoading),
    error: failed?.error ?? null,
    retry: () => readOffersAgain(),
  };
}

/** Why a start can't be had: as the salon's schedule explains it, or because no visit can start then at all. */
function whyNotOf(answer: ExplainAvailabilityResponse | undefined, error: Error | null): string {
  if (answer) return answer.offer ? '' : answer.sentence;
  if (!error) return '';
  return fieldErrorsOf(error).starts_at
    ? 'Visits start on a multiple of five minutes.'
    : messageOf(error, 'Whether this start is free can’t be said now.');
}

function earliest(offers: Offer[]): Offer | undefined {
  const seconds = (offer: Offer) => Number(offer.startsAt?.seconds ?? 0);
  return offers.sort((one, other) => seconds(one) - seconds(other))[0];
}
