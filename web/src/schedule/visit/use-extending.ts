import { useCallback, useLayoutEffect, useRef } from 'react';
import { useAction } from '../../api/action';
import { readVisitsAgain } from '../../business/read-visits-again';
import { sayDelayed } from '../../business/say-delayed';
import type { Appointment } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { ProposalService } from '../../gen/frontdesk/scheduling/v1/proposal_pb';
import { messageOf } from '../../http/errors';
import { toasts } from '../../ui/toasts';

/** Has visits that are under way end later; a proposal says what is in the way of it. */
export function useExtending(businessId: string, zone: string, onProposed: (proposalId: string) => void) {
  const { act } = useAction(ProposalService.method.delayAppointment, {
    onDone: ({ appointment, proposal, changeId }) => {
      readVisitsAgain();
      if (proposal) onProposed(proposal.id);
      else if (appointment) sayDelayed(businessId, appointment, changeId, zone);
    },
    onRefused: (error) => {
      readVisitsAgain();
      toasts.show('bad', `Not longer. ${messageOf(error, 'The visit could not be changed.')}`);
    },
  });
  // A new function would render every card again.
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback(
    ({ id, version }: Appointment, minutes: number) =>
      latest.current({ businessId, appointmentId: id, minutes, version }),
    [businessId],
  );
}
