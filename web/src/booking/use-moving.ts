import { useAction } from '../api/action';
import { queries } from '../api/query-client';
import { conflictsQuery } from '../appointments/queries';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { customerOf, whenAndWho } from '../day/naming';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { inSentence } from '../time/in-sentence';
import { toasts } from '../ui/toasts';

type Moving = {
  zone: string;
  onDone: () => void;
  onRefused?: (error: unknown) => void;
};

/** Moves a visit, and says where it is now, with an undo. */
export function useMoving({ zone, onDone, onRefused }: Moving) {
  return useAction(AppointmentService.method.moveAppointment, {
    onDone: ({ appointment: moved, changeId }, { businessId = '' }) => {
      void readVisitsAgain();
      void queries.invalidateQueries({ queryKey: conflictsQuery(businessId).queryKey });
      if (moved) {
        const customer = customerOf(moved);
        toasts.show(
          'good',
          `Moved ${customer} to ${inSentence(whenAndWho(moved, zone))}.`,
          undoAction(businessId, changeId, `${customer} is back where it was.`),
        );
      }
      onDone();
    },
    onRefused: (error) => {
      void readVisitsAgain();
      onRefused?.(error);
    },
  });
}
