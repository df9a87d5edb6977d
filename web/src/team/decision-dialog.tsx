import { Stack } from '@chakra-ui/react';
import { useAction } from '../api/action';
import { listedText } from '../business/listed';
import { readTeamAgain } from '../business/read-team-again';
import { undoAction } from '../business/undo-change';
import { KIND_NAMES, whenText } from '../day/time-off-words';
import { type TimeOff, TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { strandedOf } from './stranded';
import { StrandedList } from './stranded-list';

export type Decision = 'approve' | 'decline' | 'withdraw';

const LONGEST_NOTE = 200;

const WORDS: Record<Decision, { title: string; confirm: string; failed: string }> = {
  approve: {
    title: 'Approve time off',
    confirm: 'Approve',
    failed: 'The request could not be approved.',
  },
  decline: {
    title: 'Decline time off',
    confirm: 'Decline',
    failed: 'The request could not be declined.',
  },
  withdraw: {
    title: 'Take time off back',
    confirm: 'Take back',
    failed: 'The time off could not be taken back.',
  },
};

type DecisionDialogProps = {
  businessId: string;
  zone: string;
  timeOff: TimeOff;
  decision: Decision;
  onClose: () => void;
};

/** Approves, declines or withdraws time off, with a note; lists the visits booked then before an approval. */
export function DecisionDialog({ businessId, zone, timeOff, decision, onClose }: DecisionDialogProps) {
  const { title, confirm, failed } = WORDS[decision];
  const [note, setNote] = useKeptText(`${decision} ${timeOff.id}`);
  const { act, running, error } = useDeciding(businessId, zone, timeOff, decision, onClose);
  const name = timeOff.employeeName || 'The employee';
  const standing = decision === 'approve' ? timeOff.appointments.flatMap(strandedOf) : [];
  return (
    <FormDialog
      title={title}
      busy={running}
      onSubmit={() => act({ businessId, timeOffId: timeOff.id, note: note.trim() })}
      onClose={onClose}
    >
      <Text>
        {name}: {KIND_NAMES[timeOff.kind].toLowerCase()}, {whenText(timeOff, zone)}
      </Text>
      {standing.length > 0 && (
        <Stack gap="2">
          <Text>
            {listedText(standing.length, 'visit is', 'visits are')} booked in this time. Approving moves none:
            each stays in the inbox until it is settled.
          </Text>
          <StrandedList
            businessId={businessId}
            employeeId={timeOff.employeeId}
            zone={zone}
            label="Booked in this time"
            stranded={standing}
          />
        </Stack>
      )}
      <TextArea
        label="Note (optional)"
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Refusal>{error && messageOf(error, failed)}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant={decision === 'approve' ? 'contained' : 'danger'} loading={running}>
          {confirm}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** Each decision can be undone. */
function useDeciding(
  businessId: string,
  zone: string,
  timeOff: TimeOff,
  decision: Decision,
  onClose: () => void,
) {
  const name = timeOff.employeeName || 'The employee';
  const when = whenText(timeOff, zone);
  const settle = (text: string, changeId: string, undone: string) => {
    readTeamAgain();
    toasts.show('good', text, undoAction(businessId, changeId, undone));
    onClose();
  };
  const again = `The request of ${name} is to be decided again.`;
  const onRefused = readTeamAgain;
  const { approveTimeOff, declineTimeOff, withdrawTimeOff } = TimeOffService.method;
  const approve = useAction(approveTimeOff, {
    onDone: ({ changeId }) => settle(`${name} has the time off, ${when}.`, changeId, again),
    onRefused,
  });
  const decline = useAction(declineTimeOff, {
    onDone: ({ changeId }) => settle(`Declined the time off of ${name}, ${when}.`, changeId, again),
    onRefused,
  });
  const withdraw = useAction(withdrawTimeOff, {
    onDone: ({ changeId }) =>
      settle(
        `The time off of ${name}, ${when}, is taken back.`,
        changeId,
        `The time off of ${name} counts as before.`,
      ),
    onRefused,
  });
  return { approve, decline, withdraw }[decision];
}
