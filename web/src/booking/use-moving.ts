import { useRef } from 'react';
import { useAction } from '../api/action';
import { queries } from '../api/query-client';
import { conflictsQuery, showChanged } from '../appointments/queries';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { customerOf, movedBackText, whenAndWho } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { inSentence } from '../time/in-sentence';
import { toasts } from '../ui/toasts';

type Moving = {
  visit: Appointment;
  zone: string;
  onDone: () => void;
  onRefused?: (error: unknown) => void;
};

/** Moves a visit, and says where it is now, with an undo. */
export function useMoving({ visit, zone, onDone, onRefused }: Moving) {
  // The page may show the moved visit before the answer is here.
  const before = useRef(visit);
  const action = useAction(AppointmentService.method.moveAppointment, {
    onDone: ({ appointment: moved, changeId }, { businessId = '' }) => {
      showChanged(businessId, moved);
      void readVisitsAgain();
      void queries.invalidateQueries({ queryKey: conflictsQuery(businessId).queryKey });
      if (moved) {
        toasts.show(
          'good',
          `Moved ${customerOf(moved)} to ${inSentence(whenAndWho(moved, zone))}.`,
          undoAction(businessId, changeId, movedBackText(before.current, zone)),
        );
      }
      onDone();
    },
    onRefused: (error) => {
      void readVisitsAgain();
      onRefused?.(error);
    },
  });
  const act: typeof action.act = (request) => {
    before.current = visit;
    action.act(request);
  };
  return { ...action, act };
}
