import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { conflictsQuery } from '../../appointments/queries';
import { waitlistPages } from '../../waitlist/queries';
import { conflictsOn } from './conflicts-here';
import type { PanelCounts, PanelKind } from './panels';
import { countOffered } from './waiting-here';

/** How much each panel has for a day. The shell reads the same lists for its inbox. */
export function useDayCounts(
  businessId: string,
  day: string,
  zone: string,
  panels: readonly PanelKind[],
): PanelCounts {
  const waitlist = useInfiniteQuery({
    ...waitlistPages(businessId),
    enabled: panels.includes('waitlist'),
  });
  const conflicts = useQuery({ ...conflictsQuery(businessId), enabled: panels.includes('conflicts') });
  const waiting = waitlist.data?.pages.flatMap((page) => page.waiting) ?? [];
  return {
    waitlist: countOffered(waiting, day, zone),
    conflicts: conflictsOn(conflicts.data?.conflicts ?? [], day, zone).length,
  };
}
