import { useQueries, useQuery } from '@tanstack/react-query';
import { readOffersAgain } from '../business/read-visits-again';
import { together } from '../day/freshness';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { ExplainAvailabilityResponse, Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { BusySource } from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { dayAfter, instantOf } from '../time/local';
import { moment } from '../time/zoned';
import { type Draft, handsMatter, type Item, isSearchable, itemsOf, visitsOf } from './draft';
import { isSamePlace, ranked, startsAt, withFirst } from './offers';
import { laterQuery, offersQuery, startQuery } from './queries';

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
  /** A visit whose time counts as free: it is to be changed where it is. */
  without?: string;
  /** A visit that is to be moved: its time counts as free, and where it is already is no offer. */
  moving?: Appointment;
};

const MINUTE_MS = 60_000;

/** Free times for a draft, looked for as it changes. */
export function useOffers(wanted: Wanted): Found {
  const { businessId, draft, services, customerId, zone, moving } = wanted;
  const without = moving?.id ?? wanted.without ?? '';
  const searchable = isSearchable(draft);
  const visits = searchable ? visitsOf(draft, services) : [];
  const { day, part, start } = draft;
  const items = itemsOf(draft);
  const searches = useQueries({
    queries: visits.map((items) => offersQuery({ businessId, items, day, part, zone, customerId, without })),
  });
  const asking = searchable && start !== null;
  const askedStart = instantOf(day, start ?? 0, zone);
  const explained = useQuery({
    ...startQuery(businessId, items, askedStart, customerId, without),
    enabled: asking,
  });
  const answer = asking ? explained.data : undefined;
  const free = ranked(searches.map(({ data }) => data?.offers ?? []));
  const isMove = (offer: Offer) => !moving || !isSamePlace(moving, offer);
  const offers = free.filter(isMove);
  const afterDay = searches.flatMap(({ data }) => data?.nextOffer ?? []);
  const moves = afterDay.filter(isMove);
  // A search stops at the first free time, and that may be the visit's own: what comes after it is another question.
  const stuck = offers.length === 0 && moves.length === 0 && free.length + afterDay.length > 0;
  const search = { businessId, items, part, customerId, without };
  const ownStart = moment(moving?.startsAt) ?? askedStart;
  const after =
    free.length > 0 ? instantOf(dayAfter(day, 1), 0, zone) : new Date(ownStart.getTime() + MINUTE_MS);
  const later = useQuery({ ...laterQuery(search, after), enabled: stuck });
  const onLaterDays = later.data?.offers[0] ?? later.data?.nextOffer;
  // How the work is shared is asked of the searches; an explanation knows nothing of it.
  const shares = draft.hands !== 'any' && handsMatter(draft);
  const found = shares ? offers.find((offer) => asking && startsAt(offer, askedStart)) : answer?.offer;
  const asked = found && isMove(found) ? found : undefined;
  const failed = searches.find(({ error }) => error);
  return {
    searchable,
    items,
    offers: withFirst(offers, asked),
    next: earliest([...moves, ...(stuck && onLaterDays ? [onLaterDays] : [])]),
    asked,
    answer,
    whyNot:
      found && !asked
        ? 'The visit is booked for that time already.'
        : whyNotOf(answer, asking ? explained.error : null),
    sources: together([...searches.map(({ data }) => data?.sources ?? []), answer?.sources ?? []]),
    loading:
      searches.some(({ isPending }) => isPending) ||
      (asking && explained.isLoading) ||
      (stuck && later.isLoading),
    error: failed?.error ?? (stuck ? later.error : null),
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
