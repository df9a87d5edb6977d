import { Box, Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { OutcomeBadge } from '../business/call-outcome';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted } from '../ui/text';
import { customerCallPages } from './queries';

const ROW_HEIGHT = 60;

type CustomerCallsProps = { businessId: string; customerId: string; zone: string };

/** The calls in which the agent recognised a customer. */
export function CustomerCalls({ businessId, customerId, zone }: CustomerCallsProps) {
  const query = useInfiniteQuery(customerCallPages(businessId, customerId));
  return (
    <Card title="Calls">
      <Stack gap="4">
        <Reading query={query} what="The calls" skeleton={<RowsSkeleton rows={2} label="Loading calls" />}>
          {({ pages }) => {
            const calls = pages.flatMap((page) => page.calls);
            if (calls.length === 0)
              return <Muted>No calls yet. A call appears here when the agent recognises the customer.</Muted>;
            return (
              <LongList label="Calls" items={calls} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
                {(call) => {
                  const at = moment(call.startedAt);
                  return (
                    <Flex gap="3" py="1.5" align="baseline" justify="space-between">
                      <Box minWidth="0">
                        <TextLink to={paths.call(businessId, call.id)}>
                          {at ? `${dayName(at, zone, new Date())}, ${timeOfDay(at, zone)}` : 'A call'}
                        </TextLink>
                        {call.summary && <Muted lineClamp="2">{call.summary}</Muted>}
                      </Box>
                      <OutcomeBadge call={call} zone={zone} />
                    </Flex>
                  );
                }}
              </LongList>
            );
          }}
        </Reading>
        {query.hasNextPage && (
          <Button
            alignSelf="flex-start"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show more calls
          </Button>
        )}
      </Stack>
    </Card>
  );
}
