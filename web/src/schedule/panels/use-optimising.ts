import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../api/action';
import { type OptimiseDayResponse, ProposalService } from '../../gen/frontdesk/scheduling/v1/proposal_pb';
import { showProposal } from '../../proposals/queries';

/** The search for a better day. */
export type Optimising = {
  withWaitlist: boolean;
  setWithWaitlist: (withWaitlist: boolean) => void;
  begin: () => void;
  running: boolean;
  error: Error | null;
  /** What the last search of the day found. */
  answer: OptimiseDayResponse | undefined;
  /** Its proposal is applied or dismissed. */
  settle: () => void;
};

/**
 * Looks for a better day, and keeps what was found for each. Held above the panel: beside the day and in front of it
 * the panel is two components, and turning a tablet replaces the one by the other.
 */
export function useOptimising(businessId: string, day: string): Optimising {
  const queries = useQueryClient();
  const [withWaitlist, setWithWaitlist] = useState(true);
  const [answers, setAnswers] = useState<Readonly<Record<string, OptimiseDayResponse | undefined>>>({});
  const [asked, setAsked] = useState('');
  const keep = (date: string, answer: OptimiseDayResponse | undefined) =>
    setAnswers((before) => ({ ...before, [date]: answer }));
  const { act, running, error } = useAction(ProposalService.method.optimiseDay, {
    onDone: (answer, { date = '' }) => {
      keep(date, answer);
      if (answer.proposal) showProposal(queries, businessId, answer.proposal);
    },
  });
  return {
    withWaitlist,
    setWithWaitlist,
    begin: () => {
      keep(day, undefined);
      setAsked(day);
      act({ businessId, date: day, includeWaitlist: withWaitlist });
    },
    running: running && asked === day,
    error: asked === day ? error : null,
    answer: answers[day],
    settle: () => keep(day, undefined),
  };
}
