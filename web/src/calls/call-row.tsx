import { Flex, Grid, Stack } from '@chakra-ui/react';
import { callerOf, hasLength, isLive, lengthOf, numberOf, OutcomeBadge } from '../business/call-outcome';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { RowLink } from '../layout/links';
import { paths } from '../paths';
import { clockText, dayName, moment, timeOfDay } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Figures, Muted } from '../ui/text';
import { useNow } from '../ui/use-now';

type CallRowProps = {
  call: Call;
  businessId: string;
  zone: string;
  /** In a narrow column the summary would be all dots. */
  compact?: boolean;
  /** Where rows do not stand under their day. */
  withDay?: boolean;
};

/** One call in a list: who, when, how long, what about, what came of it. */
export function CallRow({ call, businessId, zone, compact = false, withDay = false }: CallRowProps) {
  const started = moment(call.startedAt);
  const wide = compact
    ? '40px minmax(0, 1fr) auto'
    : { base: '40px minmax(0, 1fr) auto', lg: '40px minmax(0, 5fr) 4.5rem minmax(0, 8fr) 10rem' };
  return (
    <Grid
      position="relative"
      gridTemplateColumns={wide}
      columnGap="4"
      alignItems="center"
      px={{ base: '4', sm: '6' }}
      py="3"
      transition="colors"
      _hover={{ bg: 'bg.hover' }}
    >
      <Avatar name={call.customerName} size="40px" />
      <Stack gap="0" minWidth="0">
        <RowLink to={paths.call(businessId, call.id)}>{callerOf(call)}</RowLink>
        <Muted fontSize="0.875rem">
          {started && (withDay ? `${dayName(started, zone, new Date())}, ` : '')}
          {started && timeOfDay(started, zone)}
          <Flex as="span" display="inline" hideFrom={compact ? undefined : 'lg'}>
            {/* Wraps as a whole, with its time. */}
            {hasLength(call) && '\u00a0·\u00a0'}
            <Length call={call} />
          </Flex>
          {call.customerName && !compact && (
            <Flex as="span" hideBelow="sm" display="inline">
              {` · ${numberOf(call)}`}
            </Flex>
          )}
        </Muted>
      </Stack>
      {!compact && (
        <Flex hideBelow="lg" justify="flex-end">
          <Length call={call} />
        </Flex>
      )}
      {!compact && call.summary && (
        // Under the caller, where there is no room beside them.
        <Muted
          lineClamp="2"
          gridRow={{ base: '2', lg: 'auto' }}
          gridColumn={{ base: '2 / -1', lg: '4' }}
          pt={{ base: '0.5', lg: '0' }}
        >
          {call.summary}
        </Muted>
      )}
      <Flex
        gridColumn={compact ? undefined : { lg: '5' }}
        justify={compact ? 'flex-end' : { base: 'flex-end', lg: 'flex-start' }}
      >
        <OutcomeBadge call={call} zone={zone} />
      </Flex>
    </Grid>
  );
}

function Length({ call }: { call: Call }) {
  if (!hasLength(call)) return null;
  return isLive(call) ? (
    <RunningLength call={call} />
  ) : (
    <Figures>{clockText(lengthOf(call, new Date()))}</Figures>
  );
}

function RunningLength({ call }: { call: Call }) {
  const now = useNow(1000);
  return <Figures aria-hidden>{clockText(lengthOf(call, now))}</Figures>;
}
