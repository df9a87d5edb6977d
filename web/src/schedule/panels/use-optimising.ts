import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../api/action';
import { type OptimiseDayResponse, ProposalService } from '../../gen/frontdesk/scheduling/v1/proposal_pb';
import { showProposal } from '../../proposals/queries';
import type { PanelKind } from './panels';

/** The search for a better day. */
export type Optimising = {
  withWaitlist: boolean;
  setWithWaitlist: (withWaitlist: boolean) => void;
  begin: (open: readonly string[]) => void;
  running: boolean;
  error: Error | null;
  /** What the last search of the day found, until another day or panel is shown. */
  answer: OptimiseDayResponse | undefined;
  /** The day's open proposals when that search began. */
  before: readonly string[];
  /** Its proposal is applied or dismissed. */
  settle: () => void;
};

type Found = { date: string; answer: OptimiseDayResponse };
type Asked = { date: string; open: readonly string[] };

const NOT_ASKED: Asked = { date: '', open: [] };

/**
 * Looks for a better day, and keeps what was found while the panel shows that day. Held above the panel: beside the day
 * and in front of it the panel is two components, and turning a tablet replaces the one by the other.
 */
export function useOptimising(businessId: string, day: string, kind: PanelKind): Optimising {
  const queries = useQueryClient();
  const [withWaitlist, setWithWaitlist] = useState(true);
  const [found, setFound] = useState<Found>();
  const [asked, setAsked] = useState(NOT_ASKED);
  const { act, running, error } = useAction(ProposalService.method.optimiseDay, {
    onDone: (answer, { date = '' }) => {
      setFound({ date, answer });
      if (answer.proposal) showProposal(queries, businessId, answer.proposal);
    },
  });
  const shown = `${businessId} ${day} ${kind}`;
  const [shownBefore, setShownBefore] = useState(shown);
  // The day may have changed by the time it is shown again.
  if (shown !== shownBefore) {
    setShownBefore(shown);
    setFound(undefined);
    if (!running) setAsked(NOT_ASKED);
  }
  const isAsked = asked.date === day;
  return {
    withWaitlist,
    setWithWaitlist,
    begin: (open) => {
      setFound(undefined);
      setAsked({ date: day, open });
      act({ businessId, date: day, includeWaitlist: withWaitlist });
    },
    running: running && isAsked,
    error: isAsked ? error : null,
    answer: found?.date === day ? found.answer : undefined,
    before: isAsked ? asked.open : [],
    settle: () => setFound(undefined),
  };
}
