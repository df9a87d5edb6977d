import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { pastPages } from '../appointments/queries';
import { undoRecordAction } from '../business/undo-change';
import { servicesOf } from '../day/naming';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { CustomerRecordService } from '../gen/frontdesk/tenancy/v1/customer_record_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { dateText, dayKey, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea, TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { shortText } from '../ui/short-text';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { formulasQuery } from './queries';

const LONGEST = 2000;

type FormulaDialogProps = { businessId: string; customer: Customer; zone: string; onClose: () => void };

/** Records what was mixed, on a date or for a visit. */
export function FormulaDialog({ businessId, customer, zone, onClose }: FormulaDialogProps) {
  const { id: customerId, name } = customer;
  const queries = useQueryClient();
  const today = dayKey(new Date(), zone);
  const [text, setText] = useKeptText('formula');
  const [visit, setVisit] = useState('');
  const [mixedOn, setMixedOn] = useState(today);
  const [sent, setSent] = useState(false);
  const visits = useInfiniteQuery(pastPages(businessId, customerId)).data?.pages[0]?.appointments ?? [];
  const { act, running, error } = useAction(CustomerRecordService.method.recordFormula, {
    onDone: ({ formula, changeId }) => {
      setText('');
      void queries.invalidateQueries({ queryKey: formulasQuery(businessId, customerId).queryKey });
      toasts.show(
        'good',
        `Added a formula for ${name}: ${shortText(formula?.text ?? '')}`,
        undoRecordAction(businessId, changeId, `The formula for ${name} is gone again.`),
      );
      onClose();
    },
  });
  const wrong = fieldErrorsOf(error);
  const save = () => {
    setSent(true);
    if (text.trim() === '' || mixedOn === '') return;
    act({ businessId, customerId, text: text.trim(), mixedOn, appointmentId: visit });
  };
  const choose = (id: string) => {
    setVisit(id);
    const at = moment(visits.find((one) => one.id === id)?.startsAt);
    if (at) setMixedOn(dayKey(at, zone));
  };
  const unnamed = error && Object.keys(wrong).length === 0;
  return (
    <FormDialog title="Add formula" busy={running} onSubmit={save} onClose={onClose}>
      <TextArea
        label="What was mixed"
        autoFocus
        hint="Products, shades, amounts, strength and time."
        maxLength={LONGEST}
        value={text}
        error={sent && text.trim() === '' ? 'Enter what was mixed.' : wrong.text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {visits.length > 0 && (
        <SelectField
          label="Visit (optional)"
          value={visit}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">None in particular</option>
          {visits.map((one) => {
            const at = moment(one.startsAt);
            return (
              <option key={one.id} value={one.id}>
                {[at && dateText(at, zone), servicesOf(one)].filter(Boolean).join(' · ')}
              </option>
            );
          })}
        </SelectField>
      )}
      <TextField
        label="Mixed on"
        type="date"
        max={today}
        value={mixedOn}
        error={sent && mixedOn === '' ? 'Enter the date.' : wrong.mixedOn}
        onChange={(event) => setMixedOn(event.currentTarget.value)}
      />
      <Refusal>{unnamed ? messageOf(error, 'The formula could not be added.') : null}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Add formula
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
