import { Flex, Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { call } from '../api/call';
import { undoAction } from '../business/undo-change';
import { ScheduleService, type WeeklySchedule } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { sinceText } from '../time/day-text';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Figures, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { CopyFrom } from './copy-from';
import { totalOf, totalText, weeklySpans, weekOfSpans } from './hours';
import { useHoursChange } from './hours-change';
import { StrandedStep } from './stranded-step';
import type { Scheduled } from './use-employee-hours';
import { WeekEditor } from './week-editor';
import { dateProblem, effectiveFrom, isSound, newWeek, valuesOf, type WeekValues } from './week-values';

type WeekDialogProps = {
  businessId: string;
  zone: string;
  today: string;
  employee: Scheduled;
  /** The one to change; none to make a new one. */
  week: WeeklySchedule | undefined;
  onClose: () => void;
};

/** Changes an employee's week, or adds one. */
export function WeekDialog(props: WeekDialogProps) {
  const { businessId, zone, today, employee, week, onClose } = props;
  const form = useForm<WeekValues>({
    defaultValues: week ? valuesOf(week) : newWeek(employee.weeks, today),
  });
  useKeptForm(`week ${employee.id} ${week ? week.effectiveFrom || 'always' : 'new'}`, form);
  const values = form.watch();
  const [checked, setChecked] = useState(false);
  const since = effectiveFrom(values);
  const { apply, strandedBy, running, error } = useHoursChange((changeId) => {
    toasts.show(
      'good',
      `The weekly hours of ${employee.name} apply ${sinceText(since)}.`,
      undoAction(businessId, changeId, `The week of ${employee.name} is as it was.`),
    );
    onClose();
  });
  const input = {
    businessId,
    employeeId: employee.id,
    effectiveFrom: since,
    spans: weeklySpans(values.week),
  };
  const key = JSON.stringify(input);
  const stranded = strandedBy(key);
  const said = fieldErrorsOf(error);
  const replaces = !week && employee.weeks.some((other) => other.effectiveFrom === since);

  const save = () => {
    setChecked(true);
    if (!isSound(values)) return;
    apply({
      key,
      send: (validateOnly) => call(ScheduleService.method.setWeeklySchedule, { ...input, validateOnly }),
    });
  };

  return (
    <FormDialog wide title={`Week of ${employee.name}`} busy={running} onSubmit={save} onClose={onClose}>
      {week ? (
        <Text>Applies {sinceText(week.effectiveFrom)}.</Text>
      ) : (
        <Since form={form} employee={employee} />
      )}
      <Grid gap="4" alignItems="start" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
        {!week && values.since === 'date' && (
          <TextField
            label="Applies from"
            type="date"
            hint={
              replaces
                ? 'Replaces the week that applies from this date.'
                : 'Applies until the next week begins.'
            }
            error={checked ? (dateProblem(values) ?? said.effective_from) : said.effective_from}
            {...form.register('date')}
          />
        )}
        <CopyFrom
          businessId={businessId}
          today={today}
          own={employee}
          onCopy={(copied) => form.setValue('week', weekOfSpans(copied.spans), { shouldDirty: true })}
        />
      </Grid>
      <WeekEditor
        week={values.week}
        checked={checked}
        onChange={(changed) => form.setValue('week', changed, { shouldDirty: true })}
      />
      <Flex justify="space-between" gap="3" fontWeight="600">
        <span>In a week</span>
        <Figures>
          {values.week.some((spans) => spans.some(isUnfinished)) ? '–' : totalText(totalOf(values.week))}
        </Figures>
      </Flex>
      {stranded.length > 0 && (
        <StrandedStep businessId={businessId} employeeId={employee.id} zone={zone} stranded={stranded} />
      )}
      <Refusal>{error && messageOf(error, 'The week could not be saved.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant={stranded.length > 0 ? 'danger' : 'contained'} loading={running}>
          {stranded.length > 0 ? 'Save anyway' : 'Save week'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

const isUnfinished = ({ from, to }: { from: number; to: number }) => !(from < to);

type SinceProps = { form: ReturnType<typeof useForm<WeekValues>>; employee: Scheduled };

/** Offers "from the start" only to an employee without such a week: an existing one is edited. */
function Since({ form, employee }: SinceProps) {
  if (employee.weeks.some((week) => week.effectiveFrom === '')) return null;
  return (
    <Choice
      legend="Applies"
      value={form.watch('since')}
      options={[
        ['always', 'From the start'],
        ['date', 'From a date'],
      ]}
      onChange={(since) => form.setValue('since', since, { shouldDirty: true })}
    />
  );
}
