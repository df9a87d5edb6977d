import { Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { call } from '../api/call';
import { undoAction } from '../business/undo-change';
import { OpeningExceptionService } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { daySpans, ORDINARY_DAY } from '../team/hours';
import { useHoursChange } from '../team/hours-change';
import { SpanFields } from '../team/span-fields';
import { StrandedStep } from '../team/stranded-step';
import { datesText } from '../time/day-text';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { type ClosureValues, closureProblems } from './closure-values';

const { addOpeningException } = OpeningExceptionService.method;
const LONGEST_LABEL = 80;

type ClosureDialogProps = { businessId: string; zone: string; today: string; onClose: () => void };

/** Closes the salon on some days, or opens it at other hours; visits booked then are shown first. */
export function ClosureDialog({ businessId, zone, today, onClose }: ClosureDialogProps) {
  const form = useForm<ClosureValues>({
    defaultValues: { firstDate: '', lastDate: '', open: false, spans: [ORDINARY_DAY], label: '' },
  });
  useKeptForm('closure', form);
  const values = form.watch();
  const { firstDate, lastDate, open, spans, label } = values;
  const [checked, setChecked] = useState(false);
  const { apply, strandedBy, running, error } = useHoursChange((changeId) => {
    const days = datesText(firstDate, lastDate);
    toasts.show(
      'good',
      open ? `Special hours on ${days} are saved.` : `Closed on ${days}.`,
      undoAction(businessId, changeId, `${days} follows the weekly hours again.`),
    );
    onClose();
  });
  const input = {
    businessId,
    firstDate,
    lastDate,
    spans: open ? daySpans(spans) : [],
    label: label.trim(),
  };
  const key = JSON.stringify(input);
  const stranded = strandedBy(key);
  const problems = new Map(closureProblems(values).map(({ field, message }) => [field, message]));
  const said = fieldErrorsOf(error);

  const save = () => {
    setChecked(true);
    if (problems.size > 0) return;
    apply({ key, send: (validateOnly) => call(addOpeningException, { ...input, validateOnly }) });
  };
  const firstDay = form.register('firstDate', {
    // The last day is not before the first.
    onChange: ({ target: { value } }) => {
      if (form.getValues('lastDate') < value) form.setValue('lastDate', value);
    },
  });

  return (
    <FormDialog title="Closure or special hours" busy={running} onSubmit={save} onClose={onClose}>
      <Choice
        legend="On these days"
        value={open ? 'open' : 'closed'}
        options={[
          ['closed', 'Closed'],
          ['open', 'Special hours'],
        ]}
        onChange={(choice) => form.setValue('open', choice === 'open', { shouldDirty: true })}
      />
      <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} alignItems="start">
        <TextField
          label="First day"
          type="date"
          min={today}
          error={(checked ? problems.get('firstDate') : undefined) ?? said.first_date}
          {...firstDay}
        />
        <TextField
          label="Last day"
          type="date"
          min={firstDate || today}
          error={(checked ? problems.get('lastDate') : undefined) ?? said.last_date}
          {...form.register('lastDate')}
        />
      </Grid>
      {open && (
        <SpanFields
          name="Open"
          spans={spans}
          error={checked ? problems.get('spans') : undefined}
          onChange={(changed) => form.setValue('spans', changed, { shouldDirty: true })}
        />
      )}
      <TextField
        label="Name (optional)"
        hint="Such as Christmas."
        autoComplete="off"
        maxLength={LONGEST_LABEL}
        error={said.label}
        {...form.register('label')}
      />
      {stranded.length > 0 && (
        <StrandedStep businessId={businessId} employeeId="" zone={zone} stranded={stranded} />
      )}
      <Refusal>{error && messageOf(error, 'The closure could not be saved.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant={stranded.length > 0 ? 'danger' : 'contained'} loading={running}>
          {stranded.length > 0 ? 'Save anyway' : 'Save'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
