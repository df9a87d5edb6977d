import { useAction } from '../api/action';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { DayService } from '../gen/frontdesk/scheduling/v1/day_pb';
import { ContactOutcome, type StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { inSentence } from '../time/in-sentence';
import { toasts } from '../ui/toasts';

/** Notes a call that the customer of a stranded visit did not answer; the line stays open. */
export function useNoAnswer(businessId: string, line: StrandedAppointment, when: string) {
  const customer = line.customerName || 'Walk-in';
  const visit = `${inSentence(when)}${line.employeeName && ` with ${line.employeeName}`}`;
  const { act, running, error } = useAction(DayService.method.recordContact, {
    onDone: ({ changeId }) => {
      void readVisitsAgain();
      toasts.show(
        'info',
        `${customer} did not answer. The call about ${visit} is noted.`,
        undoAction(businessId, changeId, `The call to ${customer} is no longer noted.`),
      );
    },
    onRefused: () => void readVisitsAgain(),
  });
  const note = () =>
    act({ businessId, appointmentId: line.appointmentId, outcome: ContactOutcome.NO_ANSWER });
  return { note, running, error };
}
