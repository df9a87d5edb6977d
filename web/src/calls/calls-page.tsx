import { Flex } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { PhoneCall } from 'lucide-react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { openingHoursQuery } from '../business/queries';
import { useZone } from '../business/use-zone';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { isForbidden } from '../http/errors';
import { AccessRestricted } from '../layout/access-restricted';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { useLiveStatus } from '../live/status';
import { ZoneNote } from '../time/zone-note';
import { dayKey, dayName, moment } from '../time/zoned';
import { Badge, LiveDot } from '../ui/badge';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { H2 } from '../ui/text';
import { CallRow } from './call-row';
import { callPages } from './queries';

const ROW_HEIGHT = 72;

export function loader({ params }: LoaderFunctionArgs) {
  const { businessId = '' } = params;
  return warm(() => [
    queries.prefetchInfiniteQuery(callPages(businessId)),
    queries.prefetchQuery(openingHoursQuery(businessId)),
  ]);
}

export function Component() {
  const { businessId = '' } = useParams();
  const zone = useZone(businessId);
  const query = useInfiniteQuery(callPages(businessId));
  if (isForbidden(query.error)) return <AccessRestricted signedIn />;
  return (
    <Page title="Calls" lead="Every call the agent took, newest first." action={<LiveNote zone={zone} />}>
      <Surface overflow="hidden">
        <Reading
          query={query}
          what="The calls"
          missingIsPage
          skeleton={<RowsSkeleton rows={8} label="Loading calls" />}
        >
          {({ pages }) => (
            <CallList calls={pages.flatMap((page) => page.calls)} businessId={businessId} zone={zone} />
          )}
        </Reading>
      </Surface>
      {query.hasNextPage && (
        <Button
          alignSelf="center"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more calls
        </Button>
      )}
    </Page>
  );
}

function LiveNote({ zone }: { zone: string }) {
  const live = useLiveStatus() === 'live';
  return (
    <Flex align="center" gap="3" wrap="wrap">
      <ZoneNote zone={zone} />
      {live && (
        <Badge tone="good">
          <LiveDot />
          Updates live
        </Badge>
      )}
    </Flex>
  );
}

type Line = { kind: 'day'; key: string; date: Date } | { kind: 'call'; key: string; call: Call };

function CallList({ calls, businessId, zone }: { calls: Call[]; businessId: string; zone: string }) {
  if (calls.length === 0) {
    return (
      <Empty icon={PhoneCall} title="No calls yet">
        Calls appear here as they come in.
      </Empty>
    );
  }
  return (
    <LongList items={linesOf(calls, zone)} keyOf={(line) => line.key} rowHeight={ROW_HEIGHT}>
      {(line) =>
        line.kind === 'day' ? (
          <H2 px={{ base: '4', sm: '6' }} pt="6" pb="2">
            {dayName(line.date, zone, new Date())}
          </H2>
        ) : (
          <CallRow call={line.call} businessId={businessId} zone={zone} />
        )
      }
    </LongList>
  );
}

/** The calls with a line before each day's first. */
function linesOf(calls: Call[], zone: string): Line[] {
  let day = '';
  return calls.flatMap((call): Line[] => {
    const date = moment(call.startedAt) ?? new Date(0);
    const line: Line = { kind: 'call', key: call.id, call };
    if (dayKey(date, zone) === day) return [line];
    day = dayKey(date, zone);
    return [{ kind: 'day', key: day, date }, line];
  });
}
