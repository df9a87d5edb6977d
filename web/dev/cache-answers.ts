import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetCacheStatsResponseSchema } from '../src/gen/frontdesk/telemetry/v1/cache_pb';
import { NOW, WILLOW } from './fixtures';

const RESULTS = ['hit', 'hit', 'stored', 'miss', 'hit', 'removed', 'hit', 'error', 'hit', 'hit'];
const OPERATIONS: { [result: string]: string } = { stored: 'set', removed: 'invalidate' };
const KINDS = ['catalogue', 'opening-hours', 'business'];

const stats: MessageInitShape<typeof GetCacheStatsResponseSchema> = {
  globalMetrics: {
    hitRatePercentage: 91.7,
    totalOperations: 12_480,
    totalHits: 11_002,
    totalMisses: 996,
    totalErrors: 1,
  },
  infrastructure: {
    connectionStatus: 'CONNECTED',
    responseTime: 0.31,
    memoryUsage: '1.52M',
    totalKeys: 42,
  },
  isHealthy: true,
  recentOperations: RESULTS.map((result, n) => {
    const kind = KINDS[n % 3] ?? '';
    return {
      operation: OPERATIONS[result] ?? 'get',
      operationType: kind,
      result,
      success: result !== 'error',
      key: `cache:scheduling:${kind}:${WILLOW}:${result === 'removed' ? 'generation' : 'value:50'}`,
      durationMs: result === 'error' ? 50.2 : 0.18 + n * 0.07,
      timestamp: new Date(NOW.getTime() - n * 1700).toISOString(),
    };
  }),
  operationBreakdown: {
    catalogue: { count: 8112, hitRate: 94.2 },
    'opening-hours': { count: 3920, hitRate: 88.1 },
    business: { count: 448, hitRate: 71.4 },
  },
};

/** The answers for the cache panel. */
export const CACHE_ANSWERS = {
  GetCacheStats: () => stats,
  ResetCacheMetrics: () => ({ message: 'The figures start again from zero.' }),
  ClearCache: () => ({ message: 'The cache is empty; 42 keys removed.' }),
  TestCache: () => ({ message: 'An entry was written, read and removed.', success: true }),
};
