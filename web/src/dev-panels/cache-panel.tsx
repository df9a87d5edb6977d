import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../api/call';
import { CacheService } from '../gen/frontdesk/telemetry/v1/cache_pb';
import { session } from '../session/current';
import { browserClock } from '../time/clock';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Breakdown, Infrastructure, Operations, Totals } from './cache-figures';
import { type CacheAction, CacheWatch } from './cache-watch';
import { Panel, SMALL_BUTTON, StatusLine } from './panel';

const { getCacheStats, resetCacheMetrics, clearCache, testCache } = CacheService.method;

const ACTIONS: { action: CacheAction; label: string }[] = [
  { action: 'test', label: 'Test' },
  { action: 'reset', label: 'Reset figures' },
  { action: 'clear', label: 'Clear cache' },
];

function createWatch(): CacheWatch {
  return new CacheWatch({
    clock: browserClock,
    calls: {
      stats: () => call(getCacheStats, {}),
      reset: () => call(resetCacheMetrics, {}),
      clear: () => call(clearCache, {}),
      test: () => call(testCache, {}),
    },
    signedIn: async () => {
      await session.start();
      return session.state.user !== null;
    },
  });
}

/** Figures of the services' shared cache. */
export default function CachePanel({ onClose }: { onClose: () => void }) {
  const [watch] = useState(createWatch);
  const { stats, status, running } = useSyncExternalStore(watch.subscribe, () => watch.state);
  useEffect(() => {
    watch.open();
    return () => watch.close();
  }, [watch]);
  return (
    <Panel
      title="Cache"
      badge={
        stats && (
          <Badge tone={stats.isHealthy ? 'good' : 'bad'}>{stats.isHealthy ? 'Healthy' : 'Unhealthy'}</Badge>
        )
      }
      onClose={onClose}
      foot={
        <>
          <Flex gap="2" wrap="wrap">
            {ACTIONS.map(({ action, label }) => (
              <Button
                key={action}
                {...SMALL_BUTTON}
                loading={running === action}
                disabled={running !== null}
                onClick={() => void watch.run(action)}
              >
                {label}
              </Button>
            ))}
          </Flex>
          <StatusLine status={status} />
        </>
      }
    >
      {stats ? (
        <>
          <Totals metrics={stats.globalMetrics} />
          <Infrastructure infrastructure={stats.infrastructure} />
          <Breakdown breakdown={stats.operationBreakdown} />
          <Operations operations={stats.recentOperations} />
        </>
      ) : (
        <chakra.p color="fg.muted">{status ? 'No figures yet.' : 'Reading the figures …'}</chakra.p>
      )}
    </Panel>
  );
}
