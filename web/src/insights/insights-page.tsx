import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarRange, PhoneCall } from 'lucide-react';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { Allowed } from '../business/allowed';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { useZone } from '../business/use-zone';
import { useSearch } from '../finding/use-search';
import { InsightAccess } from '../gen/access';
import type { GetInsightsResponse } from '../gen/frontdesk/telemetry/v1/insight_pb';
import { Filters } from '../intelligence/filters';
import {
  beforeText,
  datesBefore,
  datesText,
  problemOf,
  searchOf,
  type Wish,
  wishOf,
} from '../intelligence/wish';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { PageSkeleton } from '../layout/skeletons';
import { ZoneNote } from '../time/zone-note';
import { dayKey } from '../time/zoned';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted } from '../ui/text';
import { useNow } from '../ui/use-now';
import { Figures } from './figures';
import { Headlines } from './headlines';
import { insightsQuery } from './queries';
import { Tables } from './tables';

const MINUTE_MS = 60_000;

/** Other dates of the same business wait for nothing: their own reads say how far they are. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

/** What the calls of a business add up to: for its managers, and for an administrator who chose it. */
export function Component() {
  const { businessId } = useBusinessHere();
  return (
    <Page
      title="Insights"
      lead="What calls come to, what they are worth, and why some lead to no booking."
      action={businessId && <Zone businessId={businessId} />}
    >
      <ChosenBusiness>
        <Allowed
          businessId={businessId}
          least={InsightAccess.getInsights}
          waiting={<PageSkeleton kind="dashboard" />}
        >
          {() => <Insights key={businessId} businessId={businessId} />}
        </Allowed>
      </ChosenBusiness>
    </Page>
  );
}

function Zone({ businessId }: { businessId: string }) {
  return <ZoneNote zone={useZone(businessId)} />;
}

function Insights({ businessId }: { businessId: string }) {
  const [search, changeSearch] = useSearch();
  const today = dayKey(useNow(MINUTE_MS), useZone(businessId));
  const wish = wishOf(search, today);
  const problem = problemOf(wish.dates);
  const change = (changed: Partial<Wish>) =>
    changeSearch((before) => searchOf({ ...wishOf(before, today), ...changed }, before), { replace: true });
  return (
    <Stack gap="6">
      <Filters wish={wish} problem={problem} categories={[]} today={today} onChange={change} />
      {problem ? (
        <Surface>
          <Empty icon={CalendarRange} title="No figures for these dates" />
        </Surface>
      ) : (
        <Read businessId={businessId} wish={wish} />
      )}
    </Stack>
  );
}

function Read({ businessId, wish }: { businessId: string; wish: Wish }) {
  const query = useQuery(insightsQuery(businessId, wish.dates));
  return (
    <Reading
      query={query}
      what="The insights"
      framed
      missingIsPage
      skeleton={
        <Surface>
          <RowsSkeleton rows={6} label="Loading insights" />
        </Surface>
      }
    >
      {(told) => <Told businessId={businessId} wish={wish} told={told} />}
    </Reading>
  );
}

type ToldProps = { businessId: string; wish: Wish; told: GetInsightsResponse };

function Told({ businessId, wish, told }: ToldProps) {
  const { figures, previous } = told;
  if (!figures || !previous) return null;
  if (figures.calls === 0n) return <Nothing wish={wish} fresh={previous.calls === 0n} />;
  const parts = { businessId, dates: wish.dates, told, figures };
  return (
    <>
      <Muted>
        Calls from {datesText(wish.dates)}, compared with {beforeText(wish.dates)}:{' '}
        {datesText(datesBefore(wish.dates))}.
      </Muted>
      <Headlines {...parts} previous={previous} />
      {wish.table ? <Tables {...parts} /> : <Figures {...parts} />}
    </>
  );
}

function Nothing({ wish, fresh }: { wish: Wish; fresh: boolean }) {
  return (
    <Surface>
      <Empty icon={PhoneCall} title={fresh ? 'Nothing to measure yet' : 'No calls'}>
        {fresh
          ? `Figures come with the first call: no one called in ${datesText(wish.dates)}, nor in ${beforeText(wish.dates)}.`
          : `No one called in ${datesText(wish.dates)}.`}
      </Empty>
    </Surface>
  );
}
