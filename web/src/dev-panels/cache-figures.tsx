import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import type {
  CacheOperation,
  GlobalMetrics,
  OperationBreakdown,
  Infrastructure as Redis,
} from '../gen/frontdesk/telemetry/v1/cache_pb';
import { Badge, type Tone } from '../ui/badge';
import { Line, Lines, Part } from './panel';

const NUMBER = new Intl.NumberFormat('en-GB');
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const percent = (value: number) => `${value.toFixed(1)} %`;
const milliseconds = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

/** Hit rate first: it is what the cache is for. */
export function Totals({ metrics }: { metrics: GlobalMetrics | undefined }) {
  if (!metrics) return null;
  const counts = [
    ['Operations', metrics.totalOperations],
    ['Hits', metrics.totalHits],
    ['Misses', metrics.totalMisses],
    ['Errors', metrics.totalErrors],
  ] as const;
  return (
    <Part title="Hit rate">
      <chakra.p fontSize="1.75rem" fontWeight="650" lineHeight="1.2" fontVariantNumeric="tabular-nums">
        {percent(metrics.hitRatePercentage)}
      </chakra.p>
      <Box height="2" borderRadius="full" bg="quiet.subtle" overflow="hidden" aria-hidden>
        <Box height="100%" bg="brand.solid" width={`${metrics.hitRatePercentage}%`} />
      </Box>
      <Grid as="dl" gridTemplateColumns="repeat(4, 1fr)" gap="2" pt="1">
        {counts.map(([name, count]) => (
          <div key={name}>
            <chakra.dt color="fg.muted" fontSize="0.8125rem">
              {name}
            </chakra.dt>
            <chakra.dd
              fontWeight="600"
              fontVariantNumeric="tabular-nums"
              color={name === 'Errors' && count > 0 ? 'bad.fg' : 'fg'}
            >
              {NUMBER.format(count)}
            </chakra.dd>
          </div>
        ))}
      </Grid>
    </Part>
  );
}

export function Infrastructure({ infrastructure }: { infrastructure: Redis | undefined }) {
  if (!infrastructure) return null;
  const { connectionStatus, responseTime, memoryUsage, totalKeys } = infrastructure;
  const connected = connectionStatus === 'CONNECTED';
  return (
    <Part title="Redis">
      <Lines>
        <Line name="Connection">
          <Badge tone={connected ? 'good' : 'bad'}>{connectionStatus}</Badge>
        </Line>
        <Line name="Response time">{connected ? milliseconds(responseTime) : '–'}</Line>
        <Line name="Memory">{memoryUsage || '–'}</Line>
        <Line name="Keys">{connected ? NUMBER.format(totalKeys) : '–'}</Line>
      </Lines>
    </Part>
  );
}

const Table = chakra('table', { base: { width: '100%', borderCollapse: 'collapse' } });
const Head = chakra('th', {
  base: { color: 'fg.muted', fontSize: '0.8125rem', fontWeight: '550', textAlign: 'start', pb: '1' },
});
const Cell = chakra('td', {
  base: { py: '1', borderTop: '1px solid', borderColor: 'line', fontVariantNumeric: 'tabular-nums' },
});

export function Breakdown({ breakdown }: { breakdown: { [kind: string]: OperationBreakdown } }) {
  const kinds = Object.entries(breakdown).sort(([, one], [, other]) => other.count - one.count);
  if (kinds.length === 0) return null;
  return (
    <Part title="By operation type">
      <Table>
        <thead>
          <tr>
            <Head scope="col">Type</Head>
            <Head scope="col" textAlign="end">
              Count
            </Head>
            <Head scope="col" textAlign="end">
              Hit rate
            </Head>
          </tr>
        </thead>
        <tbody>
          {kinds.map(([kind, { count, hitRate }]) => (
            <tr key={kind}>
              <Cell>{kind}</Cell>
              <Cell textAlign="end">{NUMBER.format(count)}</Cell>
              <Cell textAlign="end">{percent(hitRate)}</Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </Part>
  );
}

const RESULT: { [result: string]: Tone } = {
  hit: 'good',
  miss: 'warn',
  stored: 'info',
  removed: 'violet',
  error: 'bad',
};

export function Operations({ operations }: { operations: CacheOperation[] }) {
  return (
    <Part title="Recent operations">
      {operations.length === 0 ? (
        <chakra.p color="fg.muted">
          None yet: open a page that reads a service list or opening hours.
        </chakra.p>
      ) : (
        <chakra.ol listStyleType="none">
          {operations.map((operation, place) => (
            // The list has no ids of its own, and only ever moves down.
            <Operation key={`${operation.timestamp} ${place}`} operation={operation} />
          ))}
        </chakra.ol>
      )}
    </Part>
  );
}

function Operation({ operation }: { operation: CacheOperation }) {
  const { timestamp, durationMs, key, operationType, result } = operation;
  return (
    <chakra.li py="1.5" borderTop="1px solid" borderColor="line">
      <Flex align="center" gap="2">
        <chakra.span fontWeight="550">{operation.operation}</chakra.span>
        <chakra.span color="fg.muted" flex="1" minWidth="0" truncate>
          {operationType}
        </chakra.span>
        <Badge tone={RESULT[result] ?? 'quiet'}>{result}</Badge>
        <chakra.span minWidth="4.5rem" textAlign="end" fontVariantNumeric="tabular-nums">
          {milliseconds(durationMs)}
        </chakra.span>
      </Flex>
      <Flex gap="2" color="fg.muted" fontSize="0.75rem">
        <time dateTime={timestamp}>{TIME.format(new Date(timestamp))}</time>
        <chakra.code fontFamily="mono" flex="1" minWidth="0" truncate title={key}>
          {key}
        </chakra.code>
      </Flex>
    </chakra.li>
  );
}
