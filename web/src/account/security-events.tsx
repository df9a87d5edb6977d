import { Flex } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useMemberships } from '../business/queries';
import type { SecurityEvent } from '../gen/frontdesk/auth/v1/security_pb';
import { Reading } from '../layout/reading';
import { dateAndTime, moment, viewerZone } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { EntryBody } from './entry';
import { lookOf } from './event-kinds';
import { eventPages } from './queries';

const ROW_HEIGHT = 81;

/** The account's security events, the latest first. */
export function SecurityEvents() {
  const query = useInfiniteQuery(eventPages());
  return (
    <Card title="Security events" flush>
      <Reading
        query={query}
        what="The security events"
        skeleton={<RowsSkeleton rows={4} label="Loading security events" />}
      >
        {({ pages }) => {
          const events = pages.flatMap((page) => page.events);
          if (events.length === 0) {
            return (
              <Empty icon={ShieldCheck} title="Nothing yet">
                Sign-ins, changed passwords and the like are kept here.
              </Empty>
            );
          }
          return (
            <>
              <LongList
                label="Security events"
                items={events}
                keyOf={({ id }) => id}
                rowHeight={ROW_HEIGHT}
                lined
              >
                {(event) => <EventEntry event={event} />}
              </LongList>
              {query.hasNextPage && (
                <Flex justify="center" py="3" borderTop="1px solid" borderColor="line">
                  <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    Show older ones
                  </Button>
                </Flex>
              )}
            </>
          );
        }}
      </Reading>
    </Card>
  );
}

function EventEntry({ event }: { event: SecurityEvent }) {
  const business = useMemberships()?.find(({ businessId }) => businessId === event.businessId);
  const { icon, tone, says } = lookOf(event.kind);
  const at = moment(event.at);
  const details = [at && dateAndTime(at, viewerZone()), event.browser, event.address];
  return (
    <EntryBody
      icon={icon}
      tone={tone}
      title={says(event, business?.businessName || 'a business')}
      details={details}
    />
  );
}
