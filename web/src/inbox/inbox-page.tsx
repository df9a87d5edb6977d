import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CloudOff, Inbox, Plus, UserX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { conflictsQuery, strandedPages } from '../appointments/queries';
import { bookableServicesQuery } from '../booking/queries';
import { useBusinessRole } from '../business/queries';
import { useOnBehalfOf } from '../business/use-employees';
import { useZone } from '../business/use-zone';
import { FollowUpRow } from '../follow-ups/follow-up-row';
import { ProposalAccess, TimeOffAccess } from '../gen/access';
import { isForbidden, messageOf } from '../http/errors';
import { AccessRestricted } from '../layout/access-restricted';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { AbsenceDialog } from '../proposals/absence-dialog';
import { unreadWhat } from '../providers/unmapped';
import { ZoneNote } from '../time/zone-note';
import { Button } from '../ui/button';
import { Card, Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty, Note } from '../ui/states';
import { Muted } from '../ui/text';
import { useNow } from '../ui/use-now';
import { useShortcuts } from '../ui/use-shortcuts';
import { WaitingRow } from '../waitlist/waiting-row';
import { CalendarRow, UnreadEventsRow } from './calendar-rows';
import { ConflictRow } from './conflict-rows';
import { EndingCalendarRow } from './ending-rows';
import { ErasureRow } from './erasure-rows';
import { LineRow } from './line-rows';
import { ProposalRow } from './proposal-rows';
import { type Rows, unitText } from './rows';
import { StrandedRow } from './stranded-rows';
import { TimeOffRow } from './time-off-rows';
import { UnmappedRow } from './unmapped-rows';
import { UnwrittenRow } from './unwritten-rows';
import { useCalendarWatch } from './use-calendar-watch';
import { useInbox } from './use-inbox';

const FollowUpDialog = fetchedAhead(() =>
  import('../follow-ups/follow-up-dialog').then(({ FollowUpDialog }) => FollowUpDialog),
);

const MINUTE_MS = 60_000;

export function loader({ params: { businessId = '' } }: LoaderFunctionArgs) {
  return warm(() => [
    queries.prefetchInfiniteQuery(strandedPages(businessId)),
    queries.prefetchQuery(conflictsQuery(businessId)),
  ]);
}

/** Everything that needs a decision; each row is settled in place. */
export function Component() {
  const { businessId = '' } = useParams();
  const here = useBusinessRole(businessId);
  const role = here.kind === 'member' ? here.role : '';
  const zone = useZone(businessId);
  const decides = may(TimeOffAccess.approveTimeOff, role);
  const { people } = useOnBehalfOf(businessId, decides);
  // Who decides can close the salon even before anyone works there.
  const mayReport = may(ProposalAccess.reportAbsence, role) && (decides || people.length > 0);
  const [reporting, setReporting] = useState(false);
  const [noting, setNoting] = useState(false);
  useShortcuts({ n: { what: 'New follow-up', run: () => setNoting(true) } });
  const inbox = useInbox(businessId, role);
  if (isForbidden(inbox.conflicts.error)) return <AccessRestricted signedIn />;
  return (
    <Page
      title="Inbox"
      lead={<ZoneNote zone={zone} />}
      action={
        // Without their icons the two fit beside each other on a phone.
        <Flex gap={{ base: '2', sm: '3' }} wrap="wrap" css={{ '& svg': { hideBelow: 'sm' } }}>
          {mayReport && (
            <Button onClick={() => setReporting(true)}>
              <UserX size={18} aria-hidden />
              Absence or closure
            </Button>
          )}
          <Button aria-keyshortcuts="n" onClick={() => setNoting(true)}>
            <Plus size={18} aria-hidden />
            New follow-up
          </Button>
        </Flex>
      }
    >
      {inbox.empty ? (
        <Surface>
          <Empty icon={Inbox} title="Nothing needs you">
            Every customer has an employee, and no one waits for an answer. Messages, conflicts, requests for
            time off and other decisions appear here as they come.
          </Empty>
        </Surface>
      ) : (
        <Parts businessId={businessId} role={role} zone={zone} inbox={inbox} />
      )}
      {noting && <FollowUpDialog businessId={businessId} zone={zone} onClose={() => setNoting(false)} />}
      {reporting && <AbsenceDialog businessId={businessId} zone={zone} onClose={() => setReporting(false)} />}
    </Page>
  );
}

type PartsProps = { businessId: string; role: string; zone: string; inbox: ReturnType<typeof useInbox> };

function Parts({ businessId, role, zone, inbox }: PartsProps) {
  const { stranded, conflicts, timeOff, waitlist, proposals, calendars, followUps, rows } = inbox;
  const { decides, lines, erasures, owns, strandedCount, more, providers, unreadProviders } = inbox;
  const counted = (part: keyof Rows) => unitText(part, rows[part].length, more[part]);
  const now = useNow(MINUTE_MS);
  const watchCalendars = useCalendarWatch(businessId);
  const services = useQuery(bookableServicesQuery(businessId)).data?.services ?? [];
  const names = new Map(services.map(({ id, name }) => [id, name]));
  return (
    <Stack gap="6">
      <Reading query={stranded} what="Customers without an employee" framed skeleton={null}>
        {() => (
          <Part
            title="Customers without an employee"
            count={unitText('stranded', strandedCount, false)}
            of={rows.stranded}
            more={stranded.hasNextPage ? () => void stranded.fetchNextPage() : undefined}
            loading={stranded.isFetchingNextPage}
          >
            {({ stranded: line }) => (
              <StrandedRow businessId={businessId} line={line} zone={zone} role={role} now={now} />
            )}
          </Part>
        )}
      </Reading>
      <Reading query={conflicts} what="The conflicts" framed missingIsPage skeleton={null}>
        {() => (
          <Part title="Conflicts" count={counted('conflicts')} of={rows.conflicts}>
            {(conflict) => (
              <ConflictRow businessId={businessId} conflict={conflict} zone={zone} role={role} now={now} />
            )}
          </Part>
        )}
      </Reading>
      <Reading query={followUps} what="The follow-ups" framed skeleton={null}>
        {() => (
          <Part title="Messages and follow-ups" count={counted('followUps')} of={rows.followUps}>
            {(followUp) => <FollowUpRow businessId={businessId} followUp={followUp} zone={zone} now={now} />}
          </Part>
        )}
      </Reading>
      <Reading query={proposals} what="The proposals" framed skeleton={null}>
        {() => (
          <Part title="Proposals" count={counted('proposals')} of={rows.proposals}>
            {(proposal) => <ProposalRow businessId={businessId} proposal={proposal} zone={zone} />}
          </Part>
        )}
      </Reading>
      {decides && (
        <Reading query={timeOff} what="Time off" framed skeleton={null}>
          {() => (
            <Part title="Requests for time off" count={counted('timeOff')} of={rows.timeOff}>
              {(one) => <TimeOffRow businessId={businessId} timeOff={one} zone={zone} now={now} />}
            </Part>
          )}
        </Reading>
      )}
      <Reading query={waitlist} what="The waitlist" framed skeleton={null}>
        {() => (
          <Part title="Free times for the waitlist" count={counted('waiting')} of={rows.waiting}>
            {({ waiting }) => (
              <WaitingRow
                businessId={businessId}
                waiting={waiting}
                names={names}
                zone={zone}
                role={role}
                now={now}
              />
            )}
          </Part>
        )}
      </Reading>
      <Reading query={calendars} what="The calendars" framed skeleton={null}>
        {() => (
          <>
            <Part title="Calendars not up to date" count={counted('stopped')} of={rows.stopped}>
              {(calendar) => (
                <CalendarRow
                  businessId={businessId}
                  calendar={calendar}
                  zone={zone}
                  role={role}
                  now={now}
                  onRetried={watchCalendars}
                />
              )}
            </Part>
            <Part title="Not disconnected yet" count={counted('ending')} of={rows.ending}>
              {(calendar) => (
                <EndingCalendarRow businessId={businessId} calendar={calendar} onRetried={watchCalendars} />
              )}
            </Part>
            <Part
              title="Visits that did not reach a calendar"
              count={counted('unwritten')}
              of={rows.unwritten}
            >
              {(unwritten) => (
                <UnwrittenRow
                  businessId={businessId}
                  unwritten={unwritten}
                  zone={zone}
                  role={role}
                  now={now}
                  onRetried={watchCalendars}
                />
              )}
            </Part>
            <Part title="Calendar events that can’t be read" count={counted('unread')} of={rows.unread}>
              {(calendar) => <UnreadEventsRow businessId={businessId} calendar={calendar} zone={zone} />}
            </Part>
          </>
        )}
      </Reading>
      {providers && (
        <Reading query={providers} what="The booking system" framed skeleton={null}>
          {() => (
            <>
              <Part title="Not mapped to the booking system" count={counted('unmapped')} of={rows.unmapped}>
                {(unmapped) => <UnmappedRow businessId={businessId} unmapped={unmapped} />}
              </Part>
              {unreadProviders.map(({ id, connection, query }) =>
                query.data === undefined ? (
                  <Reading key={id} query={query} what={unreadWhat(connection)} framed skeleton={null}>
                    {() => null}
                  </Reading>
                ) : (
                  <Note key={id} tone="warn" icon={CloudOff}>
                    {messageOf(query.error)} {unreadWhat(connection)} may be out of date.
                  </Note>
                ),
              )}
            </>
          )}
        </Reading>
      )}
      {owns && (
        <Reading query={lines} what="The phone lines" framed skeleton={null}>
          {() => (
            <Part title="The phone line" count={counted('lines')} of={rows.lines}>
              {({ publication }) => <LineRow businessId={businessId} publication={publication} />}
            </Part>
          )}
        </Reading>
      )}
      {owns && (
        <Reading query={erasures} what="Erasures" framed skeleton={null}>
          {() => (
            <Part title="Erasures that do not end" count={counted('erasures')} of={rows.erasures}>
              {({ erasure }) => <ErasureRow businessId={businessId} erasure={erasure} zone={zone} />}
            </Part>
          )}
        </Reading>
      )}
      {/* One for all: most lists are empty, and a placeholder each would make the page jump as they are read. */}
      {!inbox.read && (
        <Surface>
          <RowsSkeleton rows={4} label="Loading the inbox" />
        </Surface>
      )}
    </Stack>
  );
}

type PartProps<T> = {
  title: string;
  count: string;
  of: T[];
  /** Reads more of them, where there are any. */
  more?: (() => void) | undefined;
  loading?: boolean;
  children: (one: T) => ReactNode;
};

/** One kind of thing to settle; silent while there is none. */
function Part<T extends { id: string }>({ title, count, of, more, loading, children }: PartProps<T>) {
  if (of.length === 0) return null;
  return (
    <Card
      title={title}
      action={
        <Muted whiteSpace="nowrap" flexShrink="0">
          {count}
        </Muted>
      }
      flush
    >
      <Stack as="ul" gap="0" listStyleType="none">
        {of.map((one) => (
          <li key={one.id}>{children(one)}</li>
        ))}
      </Stack>
      {more && (
        <Flex px={{ base: '4', sm: '6' }} py="3" borderTop="1px solid" borderColor="line">
          <Button onClick={more} loading={loading}>
            Show more customers
          </Button>
        </Flex>
      )}
    </Card>
  );
}
