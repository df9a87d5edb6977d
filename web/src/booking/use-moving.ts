import { useAction } from '../api/action';
import { queries } from '../api/query-client';
import { conflictsQuery } from '../appointments/queries';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoMove } from '../business/undo-visit';
import { placeOf } from '../day/move-visit';
import { customerOf, whenAndWho } from '../day/naming';
import { type Appointment, AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { inSentence } from '../time/in-sentence';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';

type Moving = {
  appointment: Appointment;
  zone: string;
  /** Whether the visit could go back: a time without its employee would be refused. */
  undoable?: boolean;
  onDone: () => void;
  onRefused?: (error: unknown) => void;
};

/** Moves a visit, and says where it is now. */
export function useMoving({ appointment, zone, undoable = false, onDone, onRefused }: Moving) {
  return useAction(AppointmentService.method.moveAppointment, {
    onDone: ({ appointment: moved }, { businessId = '' }) => {
      void readVisitsAgain();
      void queries.invalidateQueries({ queryKey: conflictsQuery(businessId).queryKey });
      if (moved) {
        const undo = undoable ? undos.push(undoMove(businessId, moved, placeOf(appointment))) : undefined;
        toasts.show('good', `Moved ${customerOf(moved)} to ${inSentence(whenAndWho(moved, zone))}.`, undo);
      }
      onDone();
    },
    onRefused: (error) => {
      void readVisitsAgain();
      onRefused?.(error);
    },
  });
}
