import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { may } from '../api/access';
import { conflictsQuery } from '../appointments/queries';
import { calendarsQuery, hasUnread, isOutOfStep } from '../calendars/queries';
import { followUpPages } from '../follow-ups/queries';
import { TimeOffAccess } from '../gen/access';
import { proposalPages } from '../proposals/queries';
import { waitlistPages } from '../waitlist/queries';
import { requestedTimeOffQuery } from './queries';

/** All lists of the inbox, each read separately, so that a failure hides no other list. */
export function useInbox(businessId: string, role: string) {
  const decides = may(TimeOffAccess.approveTimeOff, role);
  const conflicts = useQuery(conflictsQuery(businessId));
  const timeOff = useQuery({ ...requestedTimeOffQuery(businessId), enabled: decides });
  const waitlist = useInfiniteQuery(waitlistPages(businessId));
  const proposals = useInfiniteQuery(proposalPages(businessId));
  const calendars = useQuery(calendarsQuery(businessId));
  const followUps = useInfiniteQuery(followUpPages(businessId));
  const counts = [
    conflicts.data?.conflicts.length ?? 0,
    decides ? (timeOff.data?.timeOff.length ?? 0) : 0,
    waitlist.data?.pages.flatMap((page) => page.waiting.filter(({ offer }) => offer)).length ?? 0,
    proposals.data?.pages.flatMap((page) => page.proposals).length ?? 0,
    calendars.data?.calendars.filter(isOutOfStep).length ?? 0,
    calendars.data?.calendars.filter(hasUnread).length ?? 0,
    followUps.data?.pages.flatMap((page) => page.followUps).length ?? 0,
  ];
  const parts = [conflicts, ...(decides ? [timeOff] : []), waitlist, proposals, calendars, followUps];
  return {
    conflicts,
    timeOff,
    waitlist,
    proposals,
    calendars,
    followUps,
    decides,
    count: counts.reduce((sum, count) => sum + count, 0),
    /** Every part was read, and none has anything. */
    empty: parts.every(({ data }) => data !== undefined) && counts.every((count) => count === 0),
  };
}
