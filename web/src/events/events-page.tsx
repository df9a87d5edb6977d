import { chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { useState } from 'react';
import { fetchedAhead } from '../api/fetched-ahead';
import { allBusinessesPages, meQuery } from '../business/queries';
import { useSearch } from '../finding/use-search';
import { type ProductEvent, ProductEventType } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { isId } from '../paths';
import { dateAndTime, moment, viewerZone } from '../time/zoned';
import { Badge, LiveDot } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, Surface } from '../ui/card';
import { CheckField } from '../ui/check-field';
import { Choice } from '../ui/choice';
import { TextField } from '../ui/field';
import { LongTable } from '../ui/long-table';
import { SelectField } from '../ui/select-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, ScreenReaderOnly } from '../ui/text';
import { useNow } from '../ui/use-now';
import { actorText, peopleOf } from './actor-text';
import { detailText } from './detail-text';
import { ExportEvents } from './export-events';
import { accountNamesQuery, eventCounts, eventPages } from './queries';
import { type EventWish, SPANS, STEP_TEXT, STEPS, searchOf, spanOf, TYPE_TEXT, TYPES, wishOf } from './wish';

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
  const wish = wishOf(search);
  const change = (changed: Partial<EventWish>) =>
    changeSearch((before) => searchOf({ ...wishOf(before), ...changed }), {
      replace: true,
      preventScrollReset: true,
    });
  return (
    <Page
      title="Event tracking"
      lead="What people and services did. Events say nothing of customers, and are kept for 90 days."
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
        <Filters wish={wish} tail={tail} onTail={setTail} onChange={change} />
        <Events wish={wish} tail={tail} onActor={(actor) => change({ actor })} />
      </Stack>
    </Page>
  );
}

type FiltersProps = {
  wish: EventWish;
  tail: boolean;
  onTail: (tail: boolean) => void;
  onChange: (changed: Partial<EventWish>) => void;
};

function Filters({ wish, tail, onTail, onChange }: FiltersProps) {
  const businesses =
    useInfiniteQuery(allBusinessesPages()).data?.pages.flatMap((page) => page.businesses) ?? [];
  const whose = useActorHint(wish.actor);
  return (
    <Stack gap="4">
      <Choice legend="Time" value={wish.hours} options={SPANS} onChange={(hours) => onChange({ hours })} />
      <Grid gap="4" gridTemplateColumns="repeat(auto-fill, minmax(min(15rem, 100%), 1fr))" alignItems="start">
        <SelectField
          label="Business"
          value={wish.business}
          onChange={(event) => onChange({ business: event.currentTarget.value })}
        >
          <option value="">Every business</option>
          {wish.business && !businesses.some(({ id }) => id === wish.business) && (
            <option value={wish.business}>The chosen business</option>
          )}
          {businesses.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Event"
          value={wish.type}
          onChange={(event) => onChange({ type: Number(event.currentTarget.value) })}
        >
          <option value={ProductEventType.UNSPECIFIED}>Every event</option>
          {TYPES.map((type) => (
            <option key={type} value={type}>
              {TYPE_TEXT[type]}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Who acted"
          hint={whose || 'Press someone in the list, or enter user:…, agent:… or service:…'}
          autoComplete="off"
          maxLength={100}
          value={wish.actor}
          onChange={(event) => onChange({ actor: event.currentTarget.value })}
        />
      </Grid>
      <CheckField
        label="Show new events as they happen"
        checked={tail}
        onChange={(event) => onTail(event.currentTarget.checked)}
      />
    </Stack>
  );
}

/** Whose events pass the filter, where it names a person. */
function useActorHint(actor: string): string {
  const people = peopleOf([actor]).filter(isId);
  const [person] = useQuery(accountNamesQuery(people)).data?.accounts ?? [];
  return person && people.includes(person.userId) ? `Only ${person.name}’s events.` : '';
}

type EventsProps = { wish: EventWish; tail: boolean; onActor: (actor: string) => void };

function Events({ wish, tail, onActor }: EventsProps) {
  const now = useNow(MINUTE_MS);
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
              <Histogram counts={told} span={spanOf(wish, now)} steps={STEPS[wish.hours]} zone={zone} />
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
  const people = useQuery(accountNamesQuery(peopleOf(events.map(({ actor }) => actor)))).data?.accounts ?? [];
  const names = new Map(people.map(({ userId, name }) => [userId, name]));
  const nameOf = (id: string) => businesses.find((business) => business.id === id)?.name ?? id;
  if (events.length === 0) {
    return (
      <Surface>
        <Empty icon={Activity} title="No events">
          Nothing that passes these filters happened in this time.
        </Empty>
      </Surface>
    );
  }
  return (
    <LongTable
      label="Events, newest first"
      minWidth="52rem"
      head={
        <>
          <th scope="col">When</th>
          <th scope="col">Event</th>
          <th scope="col">Page or detail</th>
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
              {at && dateAndTime(at, zone)}
            </chakra.th>
            <td>
              <Flex gap="2" align="center" whiteSpace="nowrap">
                {TYPE_TEXT[event.type]}
                {event.schemaVersion > 1 && <Muted as="span">version {event.schemaVersion}</Muted>}
              </Flex>
            </td>
            <td>{[event.page, detailText(event.type, event.detail)].filter(Boolean).join(' · ')}</td>
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
