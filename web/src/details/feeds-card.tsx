import { Box, Flex } from '@chakra-ui/react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Rss } from 'lucide-react';
import { useState } from 'react';
import { fetchedAhead } from '../api/fetched-ahead';
import { employeesQuery, formerEmployeesQuery, meQuery } from '../business/queries';
import { calendarsQuery } from '../calendars/queries';
import type { CalendarFeed } from '../gen/frontdesk/calendarsync/v1/feed_pb';
import { Reading } from '../layout/reading';
import { dateAndTime, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { type FeedRow, feedRows } from './feed-rows';
import { feedsQuery } from './queries';

const MakeFeedDialog = fetchedAhead(() =>
  import('./make-feed-dialog').then(({ MakeFeedDialog }) => MakeFeedDialog),
);
const RevokeFeedDialog = fetchedAhead(() =>
  import('./revoke-feed-dialog').then(({ RevokeFeedDialog }) => RevokeFeedDialog),
);

type FeedsCardProps = { businessId: string; zone: string };

/** Under which addresses other calendars read what employees have to do. */
export function FeedsCard({ businessId, zone }: FeedsCardProps) {
  const feeds = useQuery(feedsQuery(businessId));
  const employees = useQuery(employeesQuery(businessId));
  const former = useQuery(formerEmployeesQuery(businessId));
  const { mayConnectOthers = false } = useQuery(calendarsQuery(businessId)).data ?? {};
  const me = useQuery({ ...meQuery(), enabled: !mayConnectOthers }).data?.id;
  const queries: UseQueryResult<unknown>[] = [feeds, employees, former];
  return (
    <Card title="Addresses for other calendars" flush>
      <Reading
        query={queries.find(({ data }) => data === undefined) ?? feeds}
        what="The addresses"
        skeleton={<RowsSkeleton rows={2} label="Loading addresses" />}
      >
        {() => (
          <Rows
            businessId={businessId}
            zone={zone}
            rows={feedRows(
              feeds.data?.feeds ?? [],
              employees.data?.employees ?? [],
              former.data?.employees ?? [],
              ({ userId }) => mayConnectOthers || (userId !== '' && userId === me),
            )}
          />
        )}
      </Reading>
    </Card>
  );
}

function Rows({ businessId, zone, rows }: FeedsCardProps & { rows: FeedRow[] }) {
  if (rows.length === 0) {
    return (
      <Empty icon={Rss} title="No employees yet">
        Each employee can have an address under which any calendar reads their appointments.
      </Empty>
    );
  }
  return (
    <>
      <Muted px={{ base: '4', sm: '6' }} py="2">
        For calendars that can’t be connected: they read an employee’s appointments under a secret address,
        and nothing comes back from them. Anyone who knows an address can read it.
      </Muted>
      <Box as="ul" listStyleType="none" aria-label="Addresses for other calendars">
        {rows.map((row) => (
          <Row key={row.employee.id} businessId={businessId} zone={zone} row={row} />
        ))}
      </Box>
    </>
  );
}

function Row({ businessId, zone, row }: FeedsCardProps & { row: FeedRow }) {
  const { employee, feed, former, makes, revokes } = row;
  const [open, setOpen] = useState<'make' | 'revoke' | null>(null);
  const dialog = { businessId, employee, onClose: () => setOpen(null) };
  return (
    <Flex
      as="li"
      align="center"
      justify="space-between"
      columnGap="3"
      wrap="wrap"
      px={{ base: '4', sm: '6' }}
      py="2"
      minHeight="11"
    >
      <Box minWidth="0">
        <Text fontWeight="500">{employee.name}</Text>
        <Muted fontSize="0.875rem">
          {former && 'No longer here. '}
          {feedText(feed, zone)}
        </Muted>
      </Box>
      <Flex gap="2" wrap="wrap" ms="auto">
        {makes && (
          <Button variant="quiet" onClick={() => setOpen('make')}>
            {feed ? 'Replace the address' : 'Make an address'}
            <ScreenReaderOnly> of {employee.name}</ScreenReaderOnly>
          </Button>
        )}
        {revokes && (
          <Button variant="quiet" onClick={() => setOpen('revoke')}>
            Revoke
            <ScreenReaderOnly> the address of {employee.name}</ScreenReaderOnly>
          </Button>
        )}
      </Flex>
      {open === 'make' && <MakeFeedDialog {...dialog} replaces={feed !== undefined} />}
      {open === 'revoke' && <RevokeFeedDialog {...dialog} />}
    </Flex>
  );
}

function feedText(feed: CalendarFeed | undefined, zone: string): string {
  if (!feed) return 'No address';
  const [made, read] = [moment(feed.madeAt), moment(feed.readAt)];
  const names = feed.namesCustomers ? ', with customers’ names' : '';
  const readText = read ? `last read ${dateAndTime(read, zone)}` : 'not read yet';
  return `Made ${made ? dateAndTime(made, zone) : 'once'}${names}, ${readText}`;
}
