import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../api/call';
import { inputJson } from '../api/outgoing';
import { methodKey, type RpcKey, rpcPages, rpcQuery } from '../api/query';
import { ServiceIntelligenceService } from '../gen/frontdesk/scheduling/v1/intelligence_pb';
import { MatchingService } from '../gen/frontdesk/scheduling/v1/matching_pb';
import type { Dates } from './wish';

const PAGE = 200;
/** Each phrase asks what it may mean, and the figures stand below them. */
const PHRASES = 5;
const GUESSES = 3;

/** What all services brought in some dates, read to the end: sums of a part would be wrong. */
export function intelligenceQuery(businessId: string, { first, last }: Dates) {
  const method = ServiceIntelligenceService.method.getServiceIntelligence;
  const input = { businessId, firstDate: first, lastDate: last, pageSize: PAGE };
  return queryOptions({
    queryKey: [methodKey(method), inputJson(method, input), 'whole'] as RpcKey,
    queryFn: async ({ signal }) => {
      const start = await call(method, input, { signal });
      const { unmetDemand, services } = start;
      for (let pageToken = start.nextPageToken; pageToken; ) {
        const page = await call(method, { ...input, pageToken }, { signal });
        services.push(...page.services);
        pageToken = page.nextPageToken;
      }
      return { services, unmetDemand };
    },
    // Other dates take the place of these when they are there.
    placeholderData: keepPreviousData,
  });
}

export const phrasePages = (businessId: string, dismissed: boolean) =>
  rpcPages(MatchingService.method.listUnmatchedPhrases, { businessId, dismissed, pageSize: PHRASES });

/** What a phrase may mean, the likeliest first. Asked by a person, nothing is kept of it. */
export const guessesQuery = (businessId: string, phrase: string) =>
  rpcQuery(MatchingService.method.matchServices, { businessId, phrase, most: GUESSES });
