import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { undoRecordAction } from '../business/undo-change';
import { type FollowUp, FollowUpService } from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { shortText } from '../ui/short-text';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { dueFields, dueOf, dueText } from './due';
import { OwnerAndDue } from './owner-and-due';
import { followUpPages } from './queries';

type AssignDialogProps = { businessId: string; followUp: FollowUp; zone: string; onClose: () => void };

/** Assigns a follow-up to an employee, with a due time. */
export function AssignDialog({ businessId, followUp, zone, onClose }: AssignDialogProps) {
  const queries = useQueryClient();
  const [owner, setOwner] = useState(followUp.employeeId);
  const [due, setDue] = useState(() => dueFields(followUp.dueAt, zone));
  const { act, running, error } = useAction(FollowUpService.method.assignFollowUp, {
    onDone: ({ followUp: changed, changeId }) => {
      const text = shortText(followUp.text);
      const due = dueText(changed?.dueAt, zone, new Date())?.text;
      toasts.show(
        'good',
        `Assigned to ${changed?.employeeName || 'anyone'}: ${text}${due ? ` · ${due}` : ''}`,
        undoRecordAction(businessId, changeId, `As before: ${text}`),
      );
      void queries.invalidateQueries({ queryKey: followUpPages(businessId).queryKey });
      onClose();
    },
  });
  const dueAt = dueOf(due, zone);
  const save = () => act({ businessId, followUpId: followUp.id, employeeId: owner, ...(dueAt && { dueAt }) });
  return (
    <FormDialog title="Who does it, and until when" busy={running} onSubmit={save} onClose={onClose}>
      <Text whiteSpace="pre-wrap">{followUp.text}</Text>
      <OwnerAndDue businessId={businessId} owner={owner} due={due} onOwner={setOwner} onDue={setDue} />
      <Refusal>{error && messageOf(error, 'The follow-up could not be changed.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Save
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
