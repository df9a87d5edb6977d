import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { useState } from 'react';
import { fetchedAhead } from '../api/fetched-ahead';
import { allBusinessesPages, meQuery } from '../business/queries';
import { useSearch } from '../finding/use-search';
import type { ProductEvent } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { runtime } from '../runtime';
import { daysText } from '../time/days-text';
import { MINUTES_A_DAY } from '../time/local-day';
import { dateText, moment, timeToTheSecond, viewerZone } from '../time/zoned';
import { Badge, LiveDot } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongTable } from '../ui/long-table';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Figures, Muted, ScreenReaderOnly } from '../ui/text';
import { useNow } from '../ui/use-now';
import { actorText } from './actor-text';
import { EventFilters } from './event-filters';
import { eventText } from './event-text';
import { ExportEvents } from './export-events';
import { eventCounts, eventPages } from './queries';
import { useAccountNames } from './use-account-names';
import { type EventWish, STEP_TEXT, searchOf, stepMinutes, stepsOf, wishOf } from './wish';

/** Its library is fetched once the page is shown, and with this page alone. */
const Histogram = fetchedAhead(
  () => import('./histogram').then(({ Histogram }) => Histogram),
  <RowsSkeleton rows={3} label="Loading the histogram" />,
);

const MINUTE_MS = 60_000;
const ROW_HEIGHT = 65;

/** What people and services do with the product, for administrators. */
export function Component() {
  const [search, changeSearch] = useSearch();
  const [tail, setTail] = useState(true);
  const now = useNow(MINUTE_MS);
  const wish = wishOf(search);
  const change = (changed: Partial<EventWish>) =>
    changeSearch((before) => searchOf({ ...wishOf(before), ...changed }), {
      replace: true,
      preventScrollReset: true,
    });
  return (
    <Page
      title="Event tracking"
      lead={`What people and services did. Events say nothing of customers${keptText()}.`}
      action={
        tail && (
          <Badge tone="good">
            <LiveDot />
            Live
          </Badge>
        )
      }
    >
      <Stack gap="6">
        <EventFilters wish={wish} now={now} tail={tail} onTail={setTail} onChange={change} />
        <Events wish={wish} now={now} tail={tail} onActor={(actor) => change({ actor })} />
      </Stack>
    </Page>
  );
}

function keptText(): string {
  const { keptDays } = runtime();
  return keptDays ? `, and are kept for ${daysText(keptDays.productEvents)}` : '';
}

type EventsProps = { wish: EventWish; now: Date; tail: boolean; onActor: (actor: string) => void };

function Events({ wish, now, tail, onActor }: EventsProps) {
  const zone = viewerZone();
  const query = useInfiniteQuery(eventPages(wish, now, tail));
  const counts = useQuery(eventCounts(wish, now));
  return (
    <>
      <Card title={`Events per ${STEP_TEXT[wish.hours]}`}>
        <Reading
          query={counts}
          what="The histogram"
          skeleton={<RowsSkeleton rows={3} label="Loading the histogram" />}
        >
          {({ counts: told }) =>
            told.length === 0 ? (
              <Muted>No event in this time.</Muted>
            ) : (
              <Histogram
                counts={told}
                steps={stepsOf(wish, now, zone).slice(0, -1)}
                days={stepMinutes(wish) === MINUTES_A_DAY}
                zone={zone}
              />
            )
          }
        </Reading>
      </Card>
      <Card title="Events" flush action={<ExportEvents wish={wish} />}>
        <Reading query={query} what="The events" skeleton={<RowsSkeleton rows={8} label="Loading events" />}>
          {({ pages }) => (
            <List events={pages.flatMap((page) => page.events)} zone={zone} onActor={onActor} />
          )}
        </Reading>
      </Card>
      {query.hasNextPage && (
        <Button
          alignSelf="center"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more events
        </Button>
      )}
    </>
  );
}

type ListProps = { events: ProductEvent[]; zone: string; onActor: (actor: string) => void };

function List({ events, zone, onActor }: ListProps) {
  const me = useQuery(meQuery()).data?.id ?? '';
  const businesses =
    useInfiniteQuery(allBusinessesPages()).data?.pages.flatMap((page) => page.businesses) ?? [];
  const names = useAccountNames(events.map(({ actor }) => actor));
  const nameOf = (id: string) => businesses.find((business) => business.id === id)?.name ?? id;
  if (events.length === 0) {
    return (
      <Empty icon={Activity} title="No events">
        Nothing that passes these filters happened in this time.
      </Empty>
    );
  }
  return (
    <LongTable
      label="Events, newest first"
      stacked
      head={
        <>
          <th scope="col">When</th>
          <th scope="col">What happened</th>
          <th scope="col">Business</th>
          <th scope="col">Who acted</th>
        </>
      }
      items={events}
      keyOf={({ businessId, id }) => `${businessId} ${id}`}
      rowHeight={ROW_HEIGHT}
    >
      {(event) => {
        const at = moment(event.occurredAt);
        return (
          <>
            <chakra.th scope="row" whiteSpace="nowrap">
              {at && (
                <Flex gap="2" align="baseline">
                  <Figures>{timeToTheSecond(at, zone)}</Figures>
                  <Muted as="span" fontSize="0.8125rem" fontWeight="400">
                    {dateText(at, zone)}
                  </Muted>
                </Flex>
              )}
            </chakra.th>
            <td>
              <span title={event.page || undefined}>{eventText(event)}</span>
              {event.schemaVersion > 1 && <Muted as="span"> version {event.schemaVersion}</Muted>}
            </td>
            <td>{nameOf(event.businessId)}</td>
            <td>
              <Button
                variant="quiet"
                ms="-3"
                textAlign="start"
                whiteSpace="normal"
                onClick={() => onActor(event.actor)}
              >
                {actorText(event.actor, me, names)}
                <ScreenReaderOnly>: show only these events</ScreenReaderOnly>
              </Button>
            </td>
          </>
        );
      }}
    </LongTable>
  );
}
