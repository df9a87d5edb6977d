import { Flex } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Hourglass, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLocation, useNavigate, useParams } from 'react-router';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { bookableServicesQuery } from '../booking/queries';
import { useBusinessRole } from '../business/queries';
import { useZone } from '../business/use-zone';
import { WaitlistAccess } from '../gen/access';
import { isForbidden } from '../http/errors';
import { AccessRestricted } from '../layout/access-restricted';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { ZoneNote } from '../time/zone-note';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { useNow } from '../ui/use-now';
import type { Asked } from './join-dialog';
import { waitlistPages } from './queries';
import { WaitingRow } from './waiting-row';

const JoinDialog = fetchedAhead(() => import('./join-dialog').then(({ JoinDialog }) => JoinDialog));

const MINUTE_MS = 60_000;
const ROW_HEIGHT = 96;

export function loader({ params: { businessId = '' } }: LoaderFunctionArgs) {
  return warm(() => [queries.prefetchInfiniteQuery(waitlistPages(businessId))]);
}

/** Who waits for a time, the longest first. */
export function Component() {
  const { businessId = '' } = useParams();
  const zone = useZone(businessId);
  const now = useNow(MINUTE_MS);
  const here = useBusinessRole(businessId);
  const role = here.kind === 'member' ? here.role : '';
  const asked = (useLocation().state as { join?: Asked } | null)?.join;
  const navigate = useNavigate();
  const [joining, setJoining] = useState(asked !== undefined);
  const joined = () => {
    setJoining(false);
    // Coming back to the page does not ask again.
    if (asked) void navigate('.', { replace: true, state: null });
  };
  const waitlist = useInfiniteQuery(waitlistPages(businessId));
  const services = useQuery(bookableServicesQuery(businessId)).data?.services ?? [];
  const names = new Map(services.map(({ id, name }) => [id, name]));
  if (isForbidden(waitlist.error)) return <AccessRestricted signedIn />;
  const add = may(WaitlistAccess.joinWaitlist, role) && (
    <Button variant="contained" onClick={() => setJoining(true)}>
      <UserPlus size={20} aria-hidden />
      Add to waitlist
    </Button>
  );
  return (
    <Page
      title="Waitlist"
      lead={
        <Flex gap="4" wrap="wrap">
          Customers who want a time that was taken, the longest wait first.
          <ZoneNote zone={zone} />
        </Flex>
      }
      action={add}
    >
      <Surface overflow="hidden">
        <Reading
          query={waitlist}
          what="The waitlist"
          missingIsPage
          skeleton={<RowsSkeleton rows={4} label="Loading waitlist" />}
        >
          {({ pages }) => {
            const waiting = pages.flatMap((page) => page.waiting);
            if (waiting.length === 0) {
              return (
                <Empty icon={Hourglass} title="No one is waiting">
                  Add customers whose preferred time is taken: when one comes free, it shows beside their
                  name.
                </Empty>
              );
            }
            return (
              <LongList items={waiting} keyOf={({ entry }) => entry?.id ?? ''} rowHeight={ROW_HEIGHT}>
                {(one) => (
                  <WaitingRow
                    businessId={businessId}
                    waiting={one}
                    names={names}
                    zone={zone}
                    role={role}
                    now={now}
                  />
                )}
              </LongList>
            );
          }}
        </Reading>
        {waitlist.hasNextPage && (
          <Flex justify="center" py="3" borderTop="1px solid" borderColor="line">
            <Button loading={waitlist.isFetchingNextPage} onClick={() => void waitlist.fetchNextPage()}>
              Show more
            </Button>
          </Flex>
        )}
      </Surface>
      {joining && <JoinDialog businessId={businessId} asked={asked} onClose={joined} />}
    </Page>
  );
}
