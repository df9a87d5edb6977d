import { Flex } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { CalendarRange, PhoneCall, SearchX } from 'lucide-react';
import { type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useParams } from 'react-router';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { isLive, READ_LIVE_AGAIN_MS } from '../business/call-outcome';
import { openingHoursQuery } from '../business/queries';
import { useZone } from '../business/use-zone';
import { useSearch } from '../finding/use-search';
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
import { CallFilters } from './call-filters';
import { CallRow } from './call-row';
import { type CallWish, EVERY_CALL, problemOf, queryOf, wishOf } from './filter';
import { callPages } from './queries';

const ROW_HEIGHT = 72;

export function loader({ params, request }: LoaderFunctionArgs) {
  const { businessId = '' } = params;
  const wish = wishOf(new URL(request.url).searchParams);
  return warm(() => [
    ...(problemOf(wish) ? [] : [queries.prefetchInfiniteQuery(callPages(businessId, wish))]),
    queries.prefetchQuery(openingHoursQuery(businessId)),
  ]);
}

/** Other filters of the same business wait for nothing: their own reads say how far they are. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

export function Component() {
  const { businessId = '' } = useParams();
  const zone = useZone(businessId);
  const [search, changeSearch] = useSearch();
  const wish = wishOf(search);
  const problem = problemOf(wish);
  const query = useInfiniteQuery({
    ...callPages(businessId, wish),
    enabled: problem === null,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.calls.some(isLive)) && READ_LIVE_AGAIN_MS,
  });
  const change = (changed: Partial<CallWish>) =>
    changeSearch((before) => queryOf({ ...wishOf(before), ...changed }), {
      replace: true,
      preventScrollReset: true,
    });
  if (isForbidden(query.error)) return <AccessRestricted signedIn />;
  return (
    <Page title="Calls" lead="Every call the agent took, newest first." action={<LiveNote zone={zone} />}>
      <CallFilters businessId={businessId} wish={wish} problem={problem} onChange={change} />
      {problem ? (
        <Surface>
          <Empty
            icon={CalendarRange}
            title="No calls for these dates"
            action={<Button onClick={() => change({ first: '', last: '' })}>Remove the dates</Button>}
          >
            {problem}
          </Empty>
        </Surface>
      ) : (
        <Surface
          overflow="hidden"
          aria-busy={query.isPlaceholderData}
          opacity={query.isPlaceholderData ? 0.6 : undefined}
        >
          <Reading
            query={query}
            what="The calls"
            missingIsPage
            skeleton={<RowsSkeleton rows={8} label="Loading calls" />}
          >
            {({ pages }) => (
              <CallList
                calls={pages.flatMap((page) => page.calls)}
                businessId={businessId}
                zone={zone}
                filtered={queryOf(wish) !== ''}
                onAll={() => change(EVERY_CALL)}
              />
            )}
          </Reading>
        </Surface>
      )}
      {query.hasNextPage && !query.isPlaceholderData && (
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

type CallListProps = {
  calls: Call[];
  businessId: string;
  zone: string;
  filtered: boolean;
  onAll: () => void;
};

function CallList({ calls, businessId, zone, filtered, onAll }: CallListProps) {
  if (calls.length === 0) {
    return filtered ? (
      <Empty icon={SearchX} title="No call matches" action={<Button onClick={onAll}>Show all calls</Button>}>
        Try other dates, fewer filters or another word.
      </Empty>
    ) : (
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
