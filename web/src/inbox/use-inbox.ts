import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { may } from '../api/access';
import { CONFLICTS, conflictsQuery, strandedPages } from '../appointments/queries';
import { calendarsQuery } from '../calendars/queries';
import { openErasuresQuery } from '../customers/queries';
import { followUpPages } from '../follow-ups/queries';
import { useCompleting } from '../follow-ups/use-completing';
import { AgentPublicationAccess, ProviderConnectionAccess, TimeOffAccess } from '../gen/access';
import { proposalPages } from '../proposals/queries';
import { useUnmapped } from '../providers/unmapped';
import { waitlistPages } from '../waitlist/queries';
import { linesQuery, requestedTimeOffQuery } from './queries';
import { countOf, rowsOf } from './rows';

/** Ten screens of rows are more than is settled at a time. */
const MOST_PAGES = 10;

/** All lists of the inbox, each read separately, so that a failure hides no other list. */
export function useInbox(businessId: string, role: string) {
  const decides = may(TimeOffAccess.approveTimeOff, role);
  const owns = may(AgentPublicationAccess.listAgentPublications, role);
  const stranded = useInfiniteQuery(strandedPages(businessId));
  const conflicts = useQuery(conflictsQuery(businessId));
  const timeOff = useQuery({ ...requestedTimeOffQuery(businessId), enabled: decides });
  const waitlist = useInfiniteQuery(waitlistPages(businessId));
  const proposals = useInfiniteQuery(proposalPages(businessId));
  const calendars = useQuery(calendarsQuery(businessId));
  const lines = useQuery({ ...linesQuery(businessId), enabled: owns });
  const erasures = useQuery({ ...openErasuresQuery(businessId), enabled: owns });
  const followUps = useInfiniteQuery(followUpPages(businessId));
  const isCompleting = useCompleting();
  const providers = useUnmapped(businessId, may(ProviderConnectionAccess.mapProviderRecord, role));
  const rows = rowsOf({
    stranded: stranded.data?.pages.flatMap((page) => page.stranded) ?? [],
    conflicts: conflicts.data?.conflicts ?? [],
    timeOff: decides ? (timeOff.data?.timeOff ?? []) : [],
    waiting: waitlist.data?.pages.flatMap((page) => page.waiting) ?? [],
    proposals: proposals.data?.pages.flatMap((page) => page.proposals) ?? [],
    calendars: calendars.data?.calendars ?? [],
    // Who may connect calendars of others may end them, and each person those of their own account.
    ending: calendars.data?.ending.filter((one) => calendars.data.mayConnectOthers || one.ownAccount) ?? [],
    unmapped: providers.unmapped,
    lines: owns ? (lines.data?.agentPublications ?? []) : [],
    erasures: owns ? (erasures.data?.erasures ?? []) : [],
    followUps:
      followUps.data?.pages.flatMap((page) => page.followUps).filter((one) => !isCompleting(one)) ?? [],
  });
  // Their list says how many there are: its pages are read as they are settled.
  const strandedCount = Math.max(stranded.data?.pages[0]?.total ?? 0, rows.stranded.length);
  const count = countOf(rows) - rows.stranded.length + strandedCount;
  const lists = [
    stranded,
    conflicts,
    ...(decides ? [timeOff] : []),
    waitlist,
    proposals,
    calendars,
    ...(owns ? [lines, erasures] : []),
    followUps,
    ...providers.queries,
  ];
  const paged = [waitlist, proposals, followUps];
  // What is counted is read to its end.
  useEffect(() => {
    for (const { data, hasNextPage, isFetching, isError, fetchNextPage } of [waitlist, proposals, followUps])
      if (hasNextPage && !isFetching && !isError && (data?.pages.length ?? 0) < MOST_PAGES)
        void fetchNextPage();
  });
  const more = {
    stranded: false,
    conflicts: (conflicts.data?.conflicts.length ?? 0) >= CONFLICTS,
    timeOff: timeOff.data?.nextPageToken !== undefined && timeOff.data.nextPageToken !== '',
    waiting: waitlist.hasNextPage,
    proposals: proposals.hasNextPage,
    followUps: followUps.hasNextPage,
    stopped: false,
    ending: false,
    unwritten: calendars.data?.calendars.some((one) => one.unwrittenCount > one.unwritten.length) ?? false,
    unread: false,
    unmapped: providers.unread.length > 0,
    lines: false,
    erasures: erasures.data?.nextPageToken !== undefined && erasures.data.nextPageToken !== '',
  };
  return {
    stranded,
    conflicts,
    timeOff,
    waitlist,
    proposals,
    calendars,
    followUps,
    lines,
    erasures,
    /** What is known of the booking systems, for who may map their people. */
    providers: providers.reading,
    /** Booking systems of which that could not be read. */
    unreadProviders: providers.unread,
    decides,
    owns,
    rows,
    strandedCount,
    count,
    /** Of which parts there may be more than what is counted. */
    more,
    /** Every list was read, or could not be: before, a count would claim too little. */
    read: lists.every(({ data, isError }) => data !== undefined || isError),
    /** There may be more than what is counted. */
    isLeast: lists.some(({ isError }) => isError) || Object.values(more).some(Boolean),
    /** Every list was read to its end, none failed since, and none has a row. */
    empty:
      count === 0 &&
      lists.every(({ data, isError }) => data !== undefined && !isError) &&
      paged.every(({ hasNextPage }) => !hasNextPage),
  };
}
