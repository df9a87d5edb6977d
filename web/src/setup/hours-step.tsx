import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { call } from '../api/call';
import { openingHoursQuery } from '../business/queries';
import { undoAction } from '../business/undo-change';
import type { Span } from '../day/spans';
import { type GetOpeningHoursResponse, ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { messageOf } from '../http/errors';
import { LeaveGuard } from '../layout/leave-guard';
import { Reading } from '../layout/reading';
import { useKeptForm } from '../session/use-draft';
import { problemOf, weeklySpans, weekOfSpans } from '../team/hours';
import { useHoursChange } from '../team/hours-change';
import { StrandedStep } from '../team/stranded-step';
import { WeekEditor } from '../team/week-editor';
import { Button } from '../ui/button';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import type { StepProps } from './step-props';

/** A week as most salons have it, to begin with. */
const USUAL: Span[][] = Array.from({ length: 7 }, (_, index) =>
  index < 6 ? [{ from: 9 * 60, to: 18 * 60 }] : [],
);

/** When the salon is open. */
export function HoursStep(props: StepProps) {
  const query = useQuery(openingHoursQuery(props.businessId));
  return (
    <Reading
      query={query}
      what="The opening hours"
      skeleton={<RowsSkeleton rows={7} label="Loading hours" />}
    >
      {(hours) => <HoursForm {...props} hours={hours} />}
    </Reading>
  );
}

function HoursForm({ businessId, zone, onDone, hours }: StepProps & { hours: GetOpeningHoursResponse }) {
  const isNew = hours.spans.length === 0;
  const form = useForm<{ week: Span[][] }>({
    defaultValues: { week: isNew ? USUAL : weekOfSpans(hours.spans) },
  });
  useKeptForm(`opening hours of ${businessId}`, form, { overReload: true });
  const { isDirty } = form.formState;
  const leaving = useRef(false);
  const week = form.watch('week');
  const [checked, setChecked] = useState(false);
  const { apply, strandedBy, running, error } = useHoursChange((changeId) => {
    toasts.show(
      'good',
      'The opening hours are saved.',
      undoAction(businessId, changeId, 'The opening hours are as they were.'),
    );
    leaving.current = true;
    onDone();
  });
  const input = { businessId, timeZone: hours.timeZone || zone, spans: weeklySpans(week) };
  const key = JSON.stringify(input);
  const stranded = strandedBy(key);
  const save = () => {
    setChecked(true);
    if (week.some((spans) => problemOf(spans))) return;
    apply({
      key,
      send: (validateOnly) => call(ScheduleService.method.setOpeningHours, { ...input, validateOnly }),
    });
  };
  return (
    <Stack gap="4">
      <WeekEditor
        week={week}
        off="Closed"
        checked={checked}
        onChange={(changed) => form.setValue('week', changed, { shouldDirty: true })}
      />
      {stranded.length > 0 && (
        <StrandedStep businessId={businessId} employeeId="" zone={zone} stranded={stranded} />
      )}
      <Refusal>{error && messageOf(error, 'The opening hours could not be saved.')}</Refusal>
      <Flex>
        <Button variant={stranded.length > 0 ? 'danger' : 'contained'} loading={running} onClick={save}>
          {stranded.length > 0 ? 'Save anyway' : 'Save and go on'}
        </Button>
      </Flex>
      {isDirty && <LeaveGuard leaving={leaving} />}
    </Stack>
  );
}
