import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { call } from '../api/call';
import { undoAction } from '../business/undo-change';
import type { Person } from '../day/columns';
import type { Span } from '../day/spans';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { useKeptForm } from '../session/use-draft';
import { longDayText } from '../time/day-text';
import { isDay } from '../time/local-day';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { daySpans, hoursText, ORDINARY_DAY, problemOf } from './hours';
import { useHoursChange } from './hours-change';
import { SpanFields } from './span-fields';
import { StrandedStep } from './stranded-step';
import { type HoursOn, useHoursOn } from './use-hours-on';

type DayValues = { date: string; works: boolean; spans: Span[] };

type DayHoursDialogProps = {
  businessId: string;
  zone: string;
  employee: Person;
  /** The date it is about; none where it is still to be chosen. */
  date: string | undefined;
  onClose: () => void;
};

/** Other hours than the week's on one date, or none. */
export function DayHoursDialog(props: DayHoursDialogProps) {
  const { businessId, zone, employee, date, onClose } = props;
  const given = useHoursOn(businessId, employee.id, date ?? '').hours;
  const form = useForm<DayValues>({
    defaultValues: { date: date ?? '', works: true, spans: [ORDINARY_DAY] },
    // What was filled in before stays when the hours are read.
    ...(date && given && { values: startOf(date, given), resetOptions: { keepDirtyValues: true } }),
  });
  useKeptForm(`day ${employee.id} ${date ?? 'new'}`, form);
  const values = form.watch();
  const { query, hours } = useHoursOn(businessId, employee.id, values.date);
  const [awaited, setAwaited] = useState(false);
  const [checked, setChecked] = useState(false);
  const { apply, strandedBy, running, error } = useHoursChange((changeId) => {
    const day = longDayText(values.date);
    toasts.show(
      'good',
      `Hours of ${employee.name} on ${day} are saved.`,
      undoAction(businessId, changeId, `Hours of ${employee.name} on ${day} are as they were.`),
    );
    onClose();
  });
  // Another date begins with its own hours.
  useEffect(() => {
    if (!awaited || !hours) return;
    const { works, spans } = startOf(form.getValues('date'), hours);
    form.setValue('works', works);
    form.setValue('spans', spans);
    setAwaited(false);
  }, [awaited, hours, form]);
  const spans = values.works ? values.spans : [];
  const where = { businessId, employeeId: employee.id, date: values.date };
  const [setting, removing] = [`set ${JSON.stringify([where, spans])}`, `remove ${values.date}`];
  const stranded = { set: strandedBy(setting), remove: strandedBy(removing) };
  const problem = problemOf(spans);
  const said = fieldErrorsOf(error);
  const dateError = isDay(values.date) ? said.date : 'Say on which day.';

  const save = () => {
    setChecked(true);
    if (problem || !hours || awaited) return;
    apply({
      key: setting,
      send: (validateOnly) =>
        call(ScheduleService.method.setDayHours, { ...where, spans: daySpans(spans), validateOnly }),
    });
  };
  const remove = () =>
    apply({
      key: removing,
      send: (validateOnly) => call(ScheduleService.method.removeDayHours, { ...where, validateOnly }),
    });
  const shown = stranded.set.length > 0 ? stranded.set : stranded.remove;
  const skeleton = <RowsSkeleton rows={2} label="Loading hours" />;
  const fields = (
    <>
      <Choice
        legend="On this day"
        value={values.works ? 'works' : 'off'}
        options={[
          ['works', 'At work'],
          ['off', 'Not at work'],
        ]}
        onChange={(choice) => form.setValue('works', choice === 'works', { shouldDirty: true })}
      />
      {values.works && (
        <SpanFields
          name={date ? 'Hours' : 'At work'}
          spans={values.spans}
          error={checked ? problem : undefined}
          onChange={(changed) => form.setValue('spans', changed, { shouldDirty: true })}
        />
      )}
    </>
  );

  return (
    <FormDialog title={`Hours of ${employee.name}`} busy={running} onSubmit={save} onClose={onClose}>
      {date ? (
        <Text fontWeight="600">{longDayText(date)}</Text>
      ) : (
        <TextField
          label="Day"
          type="date"
          error={checked ? dateError : undefined}
          {...form.register('date', { onChange: () => setAwaited(true) })}
        />
      )}
      {isDay(values.date) ? (
        <Reading query={query} what="Their hours" skeleton={skeleton}>
          {() =>
            hours && !awaited ? (
              <>
                <Muted>By the week: {hoursText(hours.weekly, 'not at work')}</Muted>
                {fields}
              </>
            ) : (
              skeleton
            )
          }
        </Reading>
      ) : (
        fields
      )}
      {shown.length > 0 && (
        <StrandedStep businessId={businessId} employeeId={employee.id} zone={zone} stranded={shown} />
      )}
      <Refusal>{error && messageOf(error, 'The hours could not be saved.')}</Refusal>
      <DialogActions>
        {hours?.own && (
          <Button onClick={remove} disabled={running} minHeight="12" me={{ sm: 'auto' }}>
            {stranded.remove.length > 0 ? 'Back to the week anyway' : 'Back to the week'}
          </Button>
        )}
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant={stranded.set.length > 0 ? 'danger' : 'contained'} loading={running}>
          {stranded.set.length > 0 ? 'Save anyway' : 'Save'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** The hours the date has already, else the week's to begin with. */
function startOf(date: string, { weekly, own }: HoursOn): DayValues {
  const spans = own ?? weekly;
  return {
    date,
    works: own ? spans.length > 0 : true,
    spans: spans.length > 0 ? spans : weekly.length > 0 ? weekly : [ORDINARY_DAY],
  };
}
