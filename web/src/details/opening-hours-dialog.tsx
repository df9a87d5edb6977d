import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { call } from '../api/call';
import { undoAction } from '../business/undo-change';
import type { Span } from '../day/spans';
import { type GetOpeningHoursResponse, ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { problemOf, weeklySpans, weekOfSpans } from '../team/hours';
import { useHoursChange } from '../team/hours-change';
import { StrandedStep } from '../team/stranded-step';
import { WeekEditor } from '../team/week-editor';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Note, Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { ZoneField } from './zone-field';

type HoursValues = { zone: string; week: Span[][] };

type OpeningHoursDialogProps = {
  businessId: string;
  hours: GetOpeningHoursResponse;
  onClose: () => void;
};

/** Changes the week of a salon and its time zone; visits that would be outside of it are shown first. */
export function OpeningHoursDialog({ businessId, hours, onClose }: OpeningHoursDialogProps) {
  const form = useForm<HoursValues>({
    defaultValues: { zone: hours.timeZone, week: weekOfSpans(hours.spans) },
  });
  useKeptForm('opening hours', form);
  const { zone, week } = form.watch();
  const [checked, setChecked] = useState(false);
  const { apply, strandedBy, running, error } = useHoursChange((changeId) => {
    toasts.show(
      'good',
      'The opening hours are saved.',
      undoAction(businessId, changeId, 'The opening hours are as they were.'),
    );
    onClose();
  });
  const input = { businessId, timeZone: zone, spans: weeklySpans(week) };
  const key = JSON.stringify(input);
  const stranded = strandedBy(key);
  const closed = week.every((spans) => spans.length === 0);

  const save = () => {
    setChecked(true);
    if (week.some((spans) => problemOf(spans))) return;
    apply({
      key,
      send: (validateOnly) => call(ScheduleService.method.setOpeningHours, { ...input, validateOnly }),
    });
  };

  return (
    <FormDialog wide title="Opening hours" busy={running} onSubmit={save} onClose={onClose}>
      <ZoneField error={fieldErrorsOf(error).time_zone} {...form.register('zone')} />
      <WeekEditor
        week={week}
        off="Closed"
        checked={checked}
        onChange={(changed) => form.setValue('week', changed, { shouldDirty: true })}
      />
      {zone !== hours.timeZone && hours.spans.length > 0 && (
        <Note tone="warn" icon={TriangleAlert}>
          In another time zone the same hours are other moments. Booked visits keep the moment they were
          booked for.
        </Note>
      )}
      {closed && (
        <Note tone="warn" icon={TriangleAlert}>
          Without opening hours no time can be offered.
        </Note>
      )}
      {stranded.length > 0 && (
        <StrandedStep businessId={businessId} employeeId="" zone={zone} stranded={stranded} />
      )}
      <Refusal>{error && messageOf(error, 'The opening hours could not be saved.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant={stranded.length > 0 ? 'danger' : 'contained'} loading={running}>
          {stranded.length > 0 ? 'Save anyway' : 'Save hours'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
