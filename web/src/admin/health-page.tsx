import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Building2, CircleAlert, ListTodo } from 'lucide-react';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { BusinessMark } from '../business/business-mark';
import { allBusinessesPages } from '../business/queries';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';
import { ButtonLink, TextLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { agoText } from '../time/ago';
import { moment } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { LongTable } from '../ui/long-table';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, ScreenReaderOnly } from '../ui/text';
import { useNow } from '../ui/use-now';
import { FailedParts } from './failed-parts';
import { type BusinessHealth, healthOf, leftText } from './health';
import { DAYS, useHealth } from './health-queries';

const ROW_HEIGHT = 65;

const COUNTS = {
  calls: `Calls, ${DAYS} days`,
  booked: 'Booked in calls',
  hungUp: 'Hung up',
  past: `Visits, last ${DAYS} days`,
  coming: `Visits, next ${DAYS} days`,
} as const;

export function loader() {
  return warm(() => [queries.prefetchInfiniteQuery(allBusinessesPages())]);
}

export function Component() {
  const query = useInfiniteQuery(allBusinessesPages());
  return (
    <Page
      title="Businesses at a glance"
      lead={`Calls and visits of the last ${DAYS} days and the next, calendars, and what goes wrong.`}
    >
      <Reading
        query={query}
        what="The businesses"
        framed
        skeleton={
          <Surface>
            <RowsSkeleton rows={5} label="Loading businesses" />
          </Surface>
        }
      >
        {({ pages }) =>
          pages[0]?.businesses.length ? (
            <Stack gap="5">
              <Glance pages={pages.map(({ businesses }) => businesses)} />
              {query.hasNextPage && (
                <Button
                  alignSelf="center"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Load more businesses
                </Button>
              )}
            </Stack>
          ) : (
            <Surface>
              <Empty
                icon={Building2}
                title="No businesses yet"
                action={<ButtonLink to={paths.adminCreateBusiness()}>Create a business</ButtonLink>}
              />
            </Surface>
          )
        }
      </Reading>
    </Page>
  );
}

/** Businesses, and what each service says of them. */
function Glance({ pages }: { pages: Business[][] }) {
  const { parts, failed } = useHealth(pages.map((businesses) => businesses.map(({ id }) => id)));
  const now = useNow(60_000);
  return (
    <Stack gap="4">
      <FailedParts failed={failed} />
      <Surface overflow="hidden">
        <LongTable
          label="Businesses at a glance"
          minWidth="52rem"
          wordy
          paired
          head={
            <>
              <th scope="col">Business</th>
              <th scope="col">State</th>
              {Object.values(COUNTS).map((label) => (
                <th key={label} scope="col" data-figures>
                  {label}
                </th>
              ))}
              <th scope="col">Calendars</th>
            </>
          }
          items={pages.flat()}
          keyOf={({ id }) => id}
          rowHeight={ROW_HEIGHT}
        >
          {(business) => <Cells business={business} health={healthOf(business.id, parts)} now={now} />}
        </LongTable>
      </Surface>
    </Stack>
  );
}

type CellsProps = { business: Business; health: BusinessHealth; now: Date };

function Cells({ business: { id, name, brandColor, logoDigest }, health, now }: CellsProps) {
  const { bookings, calls, calendars, agentVersion, left, problems } = health;
  const known = calls && bookings && calendars && health.setup && health.owners;
  return (
    <>
      <th scope="row">
        <Flex align="center" gap="3">
          <BusinessMark businessId={id} name={name} color={brandColor} logoDigest={logoDigest} size="28px" />
          <TextLink to={paths.business(id)} minWidth="8rem">
            {name}
          </TextLink>
        </Flex>
      </th>
      <td>
        <Stack gap="1.5" align="flex-start">
          {problems.map((problem) => (
            <Flex key={problem} align="center" gap="1.5" color="bad.fg" fontSize="0.875rem">
              <Box flexShrink="0">
                <CircleAlert size={16} aria-hidden />
              </Box>
              {problem}
            </Flex>
          ))}
          {left.length > 0 && (
            <Flex align="center" gap="1.5" fontSize="0.875rem">
              <Box flexShrink="0">
                <ListTodo size={16} aria-hidden />
              </Box>
              <TextLink to={paths.adminCreateBusiness(id)} minWidth="6rem">
                {left.length === 1 ? leftText(left) : `${left.length} things left to set up`}
                <ScreenReaderOnly>: go on setting up {name}</ScreenReaderOnly>
              </TextLink>
            </Flex>
          )}
          {known && agentVersion !== 0 && left.length === 0 && problems.length === 0 && (
            <Badge tone="good">All well</Badge>
          )}
          {agentVersion !== undefined && (
            <TextLink to={paths.adminAgentSettings(id)} fontSize="0.875rem" whiteSpace="nowrap">
              {agentVersion === 0 ? 'Agent not published' : `Agent version ${agentVersion}`}
              <ScreenReaderOnly>: agent settings of {name}</ScreenReaderOnly>
            </TextLink>
          )}
        </Stack>
      </td>
      <Count label={COUNTS.calls} value={calls?.callCount} />
      <Count label={COUNTS.booked} value={calls?.bookedCount} />
      <Count label={COUNTS.hungUp} value={calls?.abandonedCount} />
      <Count label={COUNTS.past} value={bookings?.pastVisitCount} />
      <Count label={COUNTS.coming} value={bookings?.comingVisitCount} />
      <td data-label="Calendars">
        {calendars ? <Muted as="span">{calendarsText(calendars, now)}</Muted> : <NotKnown />}
      </td>
    </>
  );
}

function calendarsText(
  { calendarCount, syncedAt }: NonNullable<BusinessHealth['calendars']>,
  now: Date,
): string {
  if (calendarCount === 0) return 'None';
  const read = moment(syncedAt);
  return `${calendarCount}, ${read ? `all read ${agoText(read, now)}` : 'not all read yet'}`;
}

function Count({ label, value }: { label: string; value: number | undefined }) {
  return (
    <td data-figures="" data-label={label}>
      {value === undefined ? <NotKnown /> : value}
    </td>
  );
}

function NotKnown() {
  return (
    <chakra.span color="fg.muted">
      <span aria-hidden>–</span>
      <ScreenReaderOnly>Not known</ScreenReaderOnly>
    </chakra.span>
  );
}
