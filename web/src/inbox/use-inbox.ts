import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { may } from '../api/access';
import { conflictsQuery, strandedQuery } from '../appointments/queries';
import { calendarsQuery, hasUnread, isOutOfStep } from '../calendars/queries';
import { followUpPages } from '../follow-ups/queries';
import { TimeOffAccess } from '../gen/access';
import { proposalPages } from '../proposals/queries';
import { waitlistPages } from '../waitlist/queries';
import { requestedTimeOffQuery } from './queries';
import { countOf, rowsOf } from './rows';

/** All lists of the inbox, each read separately, so that a failure hides no other list. */
export function useInbox(businessId: string, role: string) {
  const decides = may(TimeOffAccess.approveTimeOff, role);
  const stranded = useQuery(strandedQuery(businessId));
  const conflicts = useQuery(conflictsQuery(businessId));
  const timeOff = useQuery({ ...requestedTimeOffQuery(businessId), enabled: decides });
  const waitlist = useInfiniteQuery(waitlistPages(businessId));
  const proposals = useInfiniteQuery(proposalPages(businessId));
  const calendars = useQuery(calendarsQuery(businessId));
  const followUps = useInfiniteQuery(followUpPages(businessId));
  const rows = rowsOf({
    stranded: stranded.data?.stranded ?? [],
    conflicts: conflicts.data?.conflicts ?? [],
    timeOff: decides ? (timeOff.data?.timeOff ?? []) : [],
    waiting: waitlist.data?.pages.flatMap((page) => page.waiting) ?? [],
    proposals: proposals.data?.pages.flatMap((page) => page.proposals) ?? [],
    stopped: calendars.data?.calendars.filter(isOutOfStep) ?? [],
    unread: calendars.data?.calendars.filter(hasUnread) ?? [],
    followUps: followUps.data?.pages.flatMap((page) => page.followUps) ?? [],
  });
  const count = countOf(rows);
  const lists = [
    stranded,
    conflicts,
    ...(decides ? [timeOff] : []),
    waitlist,
    proposals,
    calendars,
    followUps,
  ];
  const paged = [waitlist, proposals, followUps];
  return {
    stranded,
    conflicts,
    timeOff,
    waitlist,
    proposals,
    calendars,
    followUps,
    decides,
    rows,
    count,
    /** Every list was read to its end, none failed since, and none has a row. */
    empty:
      count === 0 &&
      lists.every(({ data, isError }) => data !== undefined && !isError) &&
      paged.every(({ hasNextPage }) => !hasNextPage),
  };
}
