import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Column, Person } from '../../day/columns';
import { type Ghost, ghostsOf } from '../../day/day-picture';
import type { DayVisit } from '../../gen/frontdesk/scheduling/v1/day_pb';
import { proposalPages, proposalQuery } from '../../proposals/queries';
import { isOpen } from '../../proposals/wording';

type Drawing = {
  businessId: string;
  /** Whether a better day is looked at. */
  shown: boolean;
  day: string;
  zone: string;
  columns: readonly Column[];
  visits: readonly DayVisit[];
  employees: readonly Person[];
};

export type Ghosts = ReadonlyMap<string, readonly Ghost[]>;

const NONE: Ghosts = new Map();

/** What the open proposal for a better day would change, to be drawn over the day, by column. */
export function useGhosts({ businessId, shown, day, zone, columns, visits, employees }: Drawing): Ghosts {
  const proposals = useInfiniteQuery({ ...proposalPages(businessId), enabled: shown });
  const waiting = proposals.data?.pages
    .flatMap((page) => page.proposals)
    .find(({ date, cause }) => date === day && cause.case === 'optimisation');
  const query = useQuery({
    ...proposalQuery(businessId, waiting?.id ?? ''),
    enabled: shown && Boolean(waiting),
  });
  const lines = shown && waiting ? query.data?.proposal?.lines : undefined;
  return useMemo(
    () => (lines ? ghostsOf(lines.filter(isOpen), { day, zone, columns, visits, employees }) : NONE),
    [lines, day, zone, columns, visits, employees],
  );
}
