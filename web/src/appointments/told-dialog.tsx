import { useState } from 'react';
import { useAction } from '../api/action';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { DayService } from '../gen/frontdesk/scheduling/v1/day_pb';
import { ContactOutcome, type StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { messageOf } from '../http/errors';
import { inSentence } from '../time/in-sentence';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';

const LONGEST_NOTE = 200;

type ToldDialogProps = {
  businessId: string;
  line: StrandedAppointment;
  when: string;
  /** The visit went by. */
  over?: boolean;
  onClose: () => void;
};

/** Records that a customer knows, which closes the line while the visit stays. */
export function ToldDialog({ businessId, line, when, over = false, onClose }: ToldDialogProps) {
  const [note, setNote] = useState('');
  const customer = line.customerName || 'The customer';
  const { act, running, error } = useAction(DayService.method.recordContact, {
    onDone: ({ changeId }) => {
      void readVisitsAgain();
      toasts.show(
        'good',
        `${customer} was told. The visit stays booked: ${inSentence(when)}${line.employeeName && ` with ${line.employeeName}`}.`,
        undoAction(businessId, changeId, `${customer} is open in the inbox again.`),
      );
      onClose();
    },
    onRefused: () => void readVisitsAgain(),
  });
  const request = { businessId, appointmentId: line.appointmentId, outcome: ContactOutcome.TOLD, note };
  return (
    <FormDialog title="Customer told" busy={running} onSubmit={() => act(request)} onClose={onClose}>
      <Text>
        {customer}, {inSentence(when)}. The visit stays booked and leaves the inbox; the call is shown on the
        visit.{!over && ' It comes back if it is moved to a time without an employee.'}
      </Text>
      <TextArea
        label="What was agreed (optional)"
        hint="Kept with your name and the time."
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Refusal>{error && messageOf(error, 'It could not be recorded.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Not yet
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Customer told
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
