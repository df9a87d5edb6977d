import { useState } from 'react';
import { useAction } from '../api/action';
import { queries } from '../api/query-client';
import { conflictsQuery, showChanged } from '../appointments/queries';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { customerOf, servicesOf, whenAndWho } from '../day/naming';
import type { ChangeAppointmentResponse } from '../gen/frontdesk/scheduling/v1/appointment_change_pb';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { inSentence } from '../time/in-sentence';
import { toasts } from '../ui/toasts';
import { offerRefused } from './why-refused';

type ChangingProps = { appointment: Appointment; zone: string; onDone: () => void };

const NOT_CHANGED = 'The visit could not be changed.';

/** Changes what a visit is, and says what became of it, with an undo. */
export function useChanging({ appointment, zone, onDone }: ChangingProps) {
  const [refused, setRefused] = useState('');
  const action = useAction(AppointmentService.method.changeAppointment, {
    onDone: (answer, { businessId = '' }) => {
      showChanged(businessId, answer.appointment);
      void readVisitsAgain();
      void queries.invalidateQueries({ queryKey: conflictsQuery(businessId).queryKey });
      const customer = customerOf(appointment);
      const several = answer.changedCount > 1 || answer.leftAppointmentIds.length > 0;
      const done = several
        ? `The visits of ${customer} are as they were.`
        : `The visit of ${customer} is as it was.`;
      toasts.show('good', doneText(answer, customer, zone), undoAction(businessId, answer.changeId, done));
      onDone();
    },
    onRefused: (error) => {
      void readVisitsAgain();
      setRefused(offerRefused(error, NOT_CHANGED));
    },
  });
  return { ...action, refused };
}

function doneText(answer: ChangeAppointmentResponse, customer: string, zone: string): string {
  const { appointment, changedCount, leftAppointmentIds } = answer;
  const left = leftAppointmentIds.length;
  if (changedCount > 1 || left > 0) {
    const stays = left === 0 ? '' : left === 1 ? ' 1 stays as it was.' : ` ${left} stay as they were.`;
    return `Changed ${changedCount === 1 ? '1 visit' : `${changedCount} visits`} of ${customer}.${stays}`;
  }
  if (!appointment) return `Changed the visit of ${customer}.`;
  return `Changed ${customer}: ${servicesOf(appointment)}, ${inSentence(whenAndWho(appointment, zone))}.`;
}
