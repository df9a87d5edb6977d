import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { undoAction } from '../business/undo-change';
import { type WaitlistEntry, WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { ConfirmDialog } from '../ui/dialog';
import { TextArea } from '../ui/field';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { waitlistPages } from './queries';
import { useWaitsFor } from './use-waits-for';
import { waiterOf } from './wishes';

const LONGEST_REASON = 200;

type LeaveDialogProps = { businessId: string; entry: WaitlistEntry; onClose: () => void };

/** Asks before a customer is removed from the waitlist. */
export function LeaveDialog({ businessId, entry, onClose }: LeaveDialogProps) {
  const queries = useQueryClient();
  const [reason, setReason] = useKeptText('leave');
  const name = waiterOf(entry);
  const waitsFor = useWaitsFor(businessId);
  const { act, running, error } = useAction(WaitlistService.method.leaveWaitlist, {
    onDone: ({ changeId }) => {
      void queries.invalidateQueries({ queryKey: waitlistPages(businessId).queryKey });
      toasts.show(
        'good',
        `${name} no longer waits for ${waitsFor(entry)}.`,
        undoAction(businessId, changeId, `${name} waits again, in the same place.`),
      );
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Take ${name} off the list?`}
      confirm="Take off the list"
      keep="Keep waiting"
      running={running}
      refused={error && messageOf(error, 'The list could not be changed.')}
      onConfirm={() => act({ businessId, entryId: entry.id, reason })}
      onClose={onClose}
    >
      <Text>
        You can undo this for ten minutes. After that, their place is lost, and they are added anew.
      </Text>
      <TextArea
        label="Reason (optional)"
        maxLength={LONGEST_REASON}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
