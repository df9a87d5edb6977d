import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { customerOf, whenAndWho } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import {
  AppointmentService,
  type GetAppointmentResponse,
} from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { ApiError, messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { seriesQuery } from '../series/queries';
import { ScopeChoice } from '../series/scope-choice';
import { type Scope, scopesOf } from '../series/scopes';
import { useSeriesCancel } from '../series/use-series-change';
import { useKeptText } from '../session/use-draft';
import { inSentence } from '../time/in-sentence';
import { ConfirmDialog } from '../ui/dialog';
import { TextArea } from '../ui/field';
import { RowsSkeleton } from '../ui/skeleton';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { appointmentQuery } from './queries';

const LONGEST_REASON = 500;

type CancelDialogProps = {
  businessId: string;
  appointment: Appointment;
  when: string;
  zone: string;
  onClose: () => void;
};

/** Confirms the cancellation of a visit, which frees its time. */
export function CancelDialog({ businessId, appointment, when, zone, onClose }: CancelDialogProps) {
  const queries = useQueryClient();
  const [scope, setScope] = useState<Scope>('one');
  const series = useQuery({
    ...seriesQuery(businessId, appointment.seriesId),
    enabled: appointment.seriesId !== '',
  });
  const options = scopesOf(series.data?.series?.appointments ?? [], appointment, false);
  const chosen = options.find((option) => option.scope === scope);
  const several = useSeriesCancel({ businessId, visit: appointment, zone, onDone: onClose });
  const [reason, setReason] = useKeptText('cancel');
  const { act, running, error } = useAction(AppointmentService.method.cancelAppointment, {
    onDone: ({ appointment: cancelled, changeId }) => {
      queries.setQueryData(
        appointmentQuery(businessId, appointment.id).queryKey,
        (before) => before && cancelled && { ...withoutSteps(before), appointment: cancelled },
      );
      readVisitsAgain();
      const customer = customerOf(appointment);
      toasts.show(
        'good',
        `Cancelled: ${customer}, ${inSentence(whenAndWho(appointment, zone))}.`,
        undoAction(
          businessId,
          changeId,
          `${customer} is booked again: ${inSentence(whenAndWho(appointment, zone))}.`,
        ),
      );
      onClose();
    },
  });
  const failure = error ?? several.error;
  return (
    <ConfirmDialog
      title={scope === 'one' ? 'Cancel this appointment?' : 'Cancel these appointments?'}
      confirm={chosen && scope !== 'one' ? `Cancel ${chosen.count} appointments` : 'Cancel appointment'}
      keep={scope === 'one' ? 'Keep it' : 'Keep them'}
      refused={failure && refusalText(failure)}
      running={running || several.running}
      onConfirm={() =>
        chosen && scope !== 'one'
          ? several.cancel(chosen, reason)
          : act({ businessId, appointmentId: appointment.id, reason })
      }
      onClose={onClose}
    >
      <Text>
        {customerOf(appointment)}, {inSentence(when)}. You can undo this for ten minutes, while the time is
        not taken.
      </Text>
      {appointment.seriesId && (
        <Reading query={series} what="The series" skeleton={<RowsSkeleton rows={2} label="Loading series" />}>
          {() =>
            options.length > 1 && (
              <ScopeChoice
                legend="It belongs to a series. Cancel"
                options={options}
                zone={zone}
                value={scope}
                onChange={setScope}
              />
            )
          }
        </Reading>
      )}
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
function withoutSteps({
  stepBack: _,
  delayWindow: __,
  ...answer
}: GetAppointmentResponse): GetAppointmentResponse {
  return { ...answer, steps: [] };
}
