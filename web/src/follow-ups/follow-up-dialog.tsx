import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { undoRecordAction } from '../business/undo-change';
import { CustomerPicker } from '../customers/customer-picker';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { FollowUpService } from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea, TextField } from '../ui/field';
import { shortText } from '../ui/short-text';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { type DueFields, dueOf } from './due';
import { OwnerAndDue } from './owner-and-due';
import { followUpPages } from './queries';

const LONGEST_TEXT = 2000;

type FollowUpDialogProps = {
  businessId: string;
  zone: string;
  /** The call that it is about, with who called. */
  about?: { callId: string; customer: Customer | null; phone: string } | undefined;
  onClose: () => void;
};

/** Records a message or a task. */
export function FollowUpDialog({ businessId, zone, about, onClose }: FollowUpDialogProps) {
  const queries = useQueryClient();
  const [text, setText] = useKeptText('follow-up');
  const [customer, setCustomer] = useState<Customer | null>(about?.customer ?? null);
  const [phone, setPhone] = useState(about?.phone ?? '');
  const [empty, setEmpty] = useState(false);
  const [owner, setOwner] = useState('');
  const [due, setDue] = useState<DueFields>({ day: '', time: '' });
  const { act, running, error } = useAction(FollowUpService.method.createFollowUp, {
    onDone: ({ followUp, changeId }) => {
      setText('');
      void queries.invalidateQueries({ queryKey: followUpPages(businessId).queryKey.slice(0, 1) });
      const noted = shortText(followUp?.text ?? '');
      toasts.show(
        'good',
        `Noted for ${followUp?.employeeName || 'anyone'}: ${noted}`,
        undoRecordAction(businessId, changeId, `Taken back: ${noted}`),
      );
      onClose();
    },
  });
  const wrong = fieldErrorsOf(error);
  const dueAt = dueOf(due, zone);
  const save = () => {
    setEmpty(text.trim() === '');
    if (text.trim() === '') return;
    act({
      businessId,
      text,
      phone: customer ? '' : phone,
      employeeId: owner,
      callId: about?.callId ?? '',
      ...(customer && { customerId: customer.id, phone: customer.phone }),
      ...(dueAt && { dueAt }),
    });
  };
  return (
    <FormDialog title="New follow-up" busy={running} onSubmit={save} onClose={onClose}>
      <TextArea
        label="What is to be done"
        required
        autoFocus
        maxLength={LONGEST_TEXT}
        error={empty ? 'Say what is to be done.' : undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <CustomerPicker
        businessId={businessId}
        customer={customer}
        anonymous="Optional: leave empty if it is not about a known customer."
        onChange={setCustomer}
      />
      {!customer && (
        <TextField
          label="Number to call back (optional)"
          type="tel"
          value={phone}
          error={wrong.phone}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
      )}
      <OwnerAndDue businessId={businessId} owner={owner} due={due} onOwner={setOwner} onDue={setDue} />
      <Refusal>
        {error && (wrong.phone ? undefined : messageOf(error, 'The follow-up could not be noted.'))}
      </Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Add follow-up
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
