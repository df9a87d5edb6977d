import { Grid } from '@chakra-ui/react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { useAction } from '../api/action';
import { readTeamAgain } from '../business/read-team-again';
import { undoTimeOff } from '../business/undo-change';
import { KIND_CHOICES, whenText } from '../day/time-off-words';
import { type TimeOff, TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { type ToastAction, toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { BookedThen } from './booked-then';
import {
  LONGEST_REASON,
  newTimeOff,
  problemsOf,
  requestOf,
  spanOf,
  type TimeOffValues,
} from './time-off-values';

const resolver: Resolver<TimeOffValues> = (values) => {
  const problems = problemsOf(values);
  if (problems.length === 0) return { values, errors: {} };
  const errors: FieldErrors<TimeOffValues> = {};
  for (const { field, message } of problems) errors[field] = { type: 'bounds', message };
  return { values: {}, errors };
};

type TimeOffDialogProps = {
  businessId: string;
  zone: string;
  today: string;
  people: readonly { id: string; name: string }[];
  /** Who decides need not ask: what they add is approved at once. */
  decides: boolean;
  onClose: () => void;
};

/** Asks for time off, with the visits that stand in it before the eyes. */
export function TimeOffDialog(props: TimeOffDialogProps) {
  const { businessId, zone, today, people, decides, onClose } = props;
  const only = people.length === 1 ? (people[0]?.id ?? '') : '';
  const form = useForm<TimeOffValues>({ resolver, defaultValues: newTimeOff(only, today) });
  useKeptForm('time off', form);
  const { errors } = form.formState;
  const values = form.watch();
  const { employeeId, kind, extent, firstDate } = values;
  const { ask, running, error } = useAsking(decides, zone, onClose);
  const said = fieldErrorsOf(error);
  const span = spanOf(values, zone);

  const send = form.handleSubmit((asked) => ask({ businessId, ...requestOf(asked, zone) }));
  const firstDay = form.register('firstDate', {
    // The last day is not before the first.
    onChange: ({ target: { value } }) => {
      if (form.getValues('lastDate') < value) form.setValue('lastDate', value);
    },
  });

  return (
    <FormDialog
      title={decides ? 'Add time off' : 'Ask for time off'}
      busy={running}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      {!only && (
        <SelectField label="Who" error={errors.employeeId?.message} {...form.register('employeeId')}>
          <option value="">Choose…</option>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <Choice
        legend="What for"
        value={kind}
        options={KIND_CHOICES}
        onChange={(chosen) => form.setValue('kind', chosen, { shouldDirty: true })}
      />
      <Choice
        legend="How long"
        value={extent}
        options={[
          ['days', 'Whole days'],
          ['hours', 'Hours of a day'],
        ]}
        onChange={(chosen) => form.setValue('extent', chosen, { shouldDirty: true })}
      />
      {extent === 'days' ? (
        <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
          <TextField
            label="First day"
            type="date"
            error={errors.firstDate?.message ?? said.first_date}
            {...firstDay}
          />
          <TextField
            label="Last day"
            type="date"
            min={firstDate}
            error={errors.lastDate?.message ?? said.last_date}
            {...form.register('lastDate')}
          />
        </Grid>
      ) : (
        <Grid gap="4" gridTemplateColumns={{ base: '1fr 1fr', sm: '2fr 1fr 1fr' }}>
          <TextField label="Day" type="date" error={errors.date?.message} {...form.register('date')} />
          <TextField
            label="From"
            type="time"
            step={300}
            error={errors.from?.message ?? said.starts_at}
            {...form.register('from')}
          />
          <TextField
            label="Until"
            type="time"
            step={300}
            error={errors.until?.message ?? said.ends_at}
            {...form.register('until')}
          />
        </Grid>
      )}
      {employeeId && span && (
        <BookedThen businessId={businessId} zone={zone} employeeId={employeeId} {...span} />
      )}
      <TextField
        label="Reason (optional)"
        hint="Managers read it, colleagues don’t."
        autoComplete="off"
        maxLength={LONGEST_REASON}
        error={said.reason}
        {...form.register('reason')}
      />
      <Refusal>{error && messageOf(error, 'It could not be asked for.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          {decides ? 'Add time off' : 'Ask'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

const nameOf = ({ employeeName }: TimeOff) => employeeName || 'The employee';

/** Asks, and where the person may say yes as well, says it. */
function useAsking(decides: boolean, zone: string, onClose: () => void) {
  const { requestTimeOff, approveTimeOff } = TimeOffService.method;
  const settle = (tone: 'good' | 'bad', text: string, undo?: ToastAction) => {
    readTeamAgain();
    toasts.show(tone, text, undo);
    onClose();
  };
  const approve = useAction(approveTimeOff, {
    onDone: ({ timeOff }, { businessId = '', timeOffId = '' }) => {
      if (!timeOff) return;
      const name = nameOf(timeOff);
      const undo = undos.push(undoTimeOff(businessId, timeOffId, `${name} works then again.`));
      settle('good', `${name} has the time off, ${whenText(timeOff, zone)}.`, undo);
    },
    onRefused: (error) => settle('bad', `It waits to be decided: ${messageOf(error)}`),
  });
  const request = useAction(requestTimeOff, {
    onDone: ({ timeOff }, { businessId = '' }) => {
      if (!timeOff) return;
      if (decides) return approve.act({ businessId, timeOffId: timeOff.id });
      const asked = `${nameOf(timeOff)} asks for time off, ${whenText(timeOff, zone)}.`;
      const undo = undos.push(undoTimeOff(businessId, timeOff.id, 'The request is taken back.'));
      settle('good', `${asked} A manager decides.`, undo);
    },
  });
  return { ask: request.act, running: request.running || approve.running, error: request.error };
}
