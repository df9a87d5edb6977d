import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoCancel } from '../business/undo-visit';
import { customerOf } from '../day/naming';
import {
  type Appointment,
  AppointmentService,
  type GetAppointmentResponse,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ApiError, messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { inSentence } from '../time/in-sentence';
import { ConfirmDialog } from '../ui/dialog';
import { TextArea } from '../ui/field';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { appointmentQuery } from './queries';

const LONGEST_REASON = 500;

type CancelDialogProps = { businessId: string; appointment: Appointment; when: string; onClose: () => void };

/** Confirms the cancellation of a visit, which frees its time. */
export function CancelDialog({ businessId, appointment, when, onClose }: CancelDialogProps) {
  const queries = useQueryClient();
  const [reason, setReason] = useKeptText('cancel');
  const { act, running, error } = useAction(AppointmentService.method.cancelAppointment, {
    onDone: ({ appointment: cancelled }) => {
      queries.setQueryData(
        appointmentQuery(businessId, appointment.id).queryKey,
        (before) => before && cancelled && { ...withoutSteps(before), appointment: cancelled },
      );
      readVisitsAgain();
      const undo = undos.push(undoCancel(businessId, appointment));
      toasts.show(
        'good',
        `Cancelled: ${customerOf(appointment)}, ${inSentence(when)}. The time is free again.`,
        undo,
      );
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Cancel this appointment?"
      confirm="Cancel appointment"
      keep="Keep it"
      refused={error && refusalText(error)}
      running={running}
      onConfirm={() => act({ businessId, appointmentId: appointment.id, reason })}
      onClose={onClose}
    >
      <Text>
        {customerOf(appointment)}, {inSentence(when)}. The time becomes free for others at once.
      </Text>
      <TextArea
        label="Reason (optional)"
        hint="Kept with the appointment."
        maxLength={LONGEST_REASON}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

function refusalText(error: unknown): string {
  return error instanceof ApiError && error.reason === 'WRONG_STATE'
    ? 'This appointment has moved on and can no longer be changed this way.'
    : messageOf(error, 'The appointment could not be cancelled.');
}

/** Those of a visit that stands elsewhere by now. */
function withoutSteps({ stepBack: _, ...answer }: GetAppointmentResponse): GetAppointmentResponse {
  return { ...answer, steps: [] };
}
