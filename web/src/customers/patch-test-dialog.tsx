import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useAction } from '../api/action';
import { undoRecordAction } from '../business/undo-change';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { CustomerRecordService, PatchTestResult } from '../gen/frontdesk/tenancy/v1/customer_record_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { readPatchTestsAgain, testedServicesQuery } from './queries';

type PatchTestDialogProps = { businessId: string; customer: Customer; today: string; onClose: () => void };

/** Records a patch test. */
export function PatchTestDialog({ businessId, customer, today, onClose }: PatchTestDialogProps) {
  const { id: customerId, name } = customer;
  const queries = useQueryClient();
  const [subject, setSubject] = useKeptText('patch test');
  const [testedOn, setTestedOn] = useState(today);
  const [validUntil, setValidUntil] = useState('');
  const [result, setResult] = useState<PatchTestResult>(PatchTestResult.NO_REACTION);
  const [sent, setSent] = useState(false);
  const subjects = useId();
  // As services name it, so that the test counts for them.
  const services = useQuery(testedServicesQuery(businessId)).data?.services ?? [];
  const names = [...new Set(services.map(({ patchTest }) => patchTest))].filter(Boolean);
  const { act, running, error } = useAction(CustomerRecordService.method.recordPatchTest, {
    onDone: ({ patchTest, changeId }) => {
      setSubject('');
      readPatchTestsAgain(queries, businessId, customerId);
      toasts.show(
        'good',
        `Added a patch test for ${name}: ${patchTest?.subject}.`,
        undoRecordAction(businessId, changeId, `The patch test for ${name} is gone again.`),
      );
      onClose();
    },
  });
  const wrong = fieldErrorsOf(error);
  const missing = sent && subject.trim() === '' ? 'Enter the service or the product.' : undefined;
  const undated = sent && testedOn === '' ? 'Enter the date of the test.' : undefined;
  const early = validUntil !== '' && validUntil < testedOn ? 'This is before the test.' : undefined;
  const save = () => {
    setSent(true);
    if (subject.trim() === '' || testedOn === '' || early) return;
    act({ businessId, customerId, subject: subject.trim(), testedOn, validUntil, result });
  };
  const unnamed = error && Object.keys(wrong).length === 0;
  return (
    <FormDialog title="Add patch test" busy={running} onSubmit={save} onClose={onClose}>
      <TextField
        label="Service or product"
        autoFocus
        autoComplete="off"
        maxLength={100}
        list={subjects}
        value={subject}
        error={missing ?? wrong.subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <datalist id={subjects}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        label="Tested on"
        type="date"
        max={today}
        value={testedOn}
        error={undated ?? wrong.tested_on}
        onChange={(event) => setTestedOn(event.currentTarget.value)}
      />
      <Choice
        legend="Result"
        value={result}
        options={[
          [PatchTestResult.NO_REACTION, 'No reaction'],
          [PatchTestResult.REACTION, 'Reaction'],
        ]}
        onChange={setResult}
      />
      <TextField
        label="Valid until (optional)"
        type="date"
        min={testedOn}
        value={validUntil}
        error={early ?? wrong.valid_until}
        onChange={(event) => setValidUntil(event.currentTarget.value)}
      />
      <Refusal>{unnamed ? messageOf(error, 'The patch test could not be added.') : null}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Add patch test
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
