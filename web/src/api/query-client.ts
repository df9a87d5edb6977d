import { QueryClient } from '@tanstack/react-query';
import { isPassing } from '../http/errors';
import { browserClock } from '../time/clock';
import { answers } from './answers';
import { limitEntries, TTL_MS } from './query-limits';

const RETRIES = 3;
const RETRY_DELAY_MS = 1000;

/** Retries reads that failed without a decision of the server, and no mutations. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < RETRIES && isPassing(error),
        retryDelay: RETRY_DELAY_MS,
        // The live socket says when something is stale; this covers a socket that cannot connect.
        staleTime: 30_000,
        gcTime: TTL_MS,
      },
      mutations: { retry: false },
    },
  });
}

/** This tab's answers. Loaders and screens share them. */
export const queries = createQueryClient();

answers.clear = () => queries.clear();
limitEntries(queries.getQueryCache(), browserClock);
