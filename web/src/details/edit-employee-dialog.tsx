import { Stack } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { methodKey } from '../api/query';
import { readTeamAgain } from '../business/read-team-again';
import { type Employee, EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { ApiError, fieldErrorsOf, messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { useKeptForm } from '../session/use-draft';
import { Booked, useBooked } from '../team/booked-then';
import { shortDateText } from '../time/day-text';
import { dayAfter, instantOf } from '../time/local';
import { dayKey } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { employeeName } from './employee-name';
import { policyQuery } from './queries';

/** As far ahead as the longest booking horizon, where the salon’s own can’t be read. */
const MOST_DAYS_AHEAD = 730;
/** A field may hold a year of more digits while it is typed, or one that begins with zeros. */
const DATE = /^[1-9]\d{3}-\d{2}-\d{2}$/;
/** A date is typed once it stays as it is for this long. */
const PAUSE_MS = 400;

const fields = z.object({ name: employeeName, lastDay: z.string() });

type EditEmployeeDialogProps = {
  businessId: string;
  zone: string;
  /** As last read. */
  employee: Employee;
  /** Takes the account from the employee; undefined where the viewer may not. */
  onUnlink?: (() => void) | undefined;
  onClose: () => void;
};

const valuesOf = ({ name, lastDay }: Employee) => ({ name, lastDay });

/** What an employee is called, and until when they stay. */
export function EditEmployeeDialog({
  businessId,
  zone,
  employee,
  onUnlink,
  onClose,
}: EditEmployeeDialogProps) {
  const { id: employeeId, userId } = employee;
  const queries = useQueryClient();
  const [read, setRead] = useState(employee);
  const [stale, setStale] = useState(false);
  const unsavedId = useId();
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: valuesOf(employee),
  });
  useKeptForm(`employee ${employeeId}`, form);
  const { errors, isDirty, isSubmitting } = form.formState;
  const lastDay = form.watch('lastDay');
  const { leaving, booked } = useLeaving(businessId, zone, read, lastDay);
  const strands = leaving !== undefined && booked.stranded.length > 0;
  const readAgain = () =>
    void queries.invalidateQueries({ queryKey: [methodKey(EmployeeService.method.listEmployees)] });
  const save = form.handleSubmit(async ({ name, lastDay }) => {
    try {
      const { version } = read;
      await call(EmployeeService.method.updateEmployee, { businessId, employeeId, name, lastDay, version });
      readAgain();
      readTeamAgain();
      toasts.show('good', savedText(name, lastDay, read.lastDay));
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'STALE') {
        setStale(true);
        readAgain();
      }
      const said = fieldErrorsOf(error);
      if (said.name) form.setError('name', { message: said.name }, { shouldFocus: true });
      else if (said.last_day) form.setError('lastDay', { message: said.last_day }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'The employee could not be saved.') });
    }
  });
  const startOver = () => {
    form.reset(valuesOf(employee));
    setRead(employee);
    setStale(false);
  };
  return (
    <FormDialog
      title={`Edit ${read.name}`}
      busy={isSubmitting}
      onSubmit={() => {
        // Whom it would leave is shown before it is saved.
        if (!booked.looking) void save();
      }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" error={errors.name?.message} {...form.register('name')} />
      <TextField
        label="Last day (optional)"
        type="date"
        hint="Once they leave. After it they can’t be booked; visits that they still have then wait in the inbox to be moved. Everything they did stays on record."
        error={errors.lastDay?.message}
        {...form.register('lastDay')}
      />
      {leaving && (
        <Booked
          {...{ businessId, zone, employeeId, booked }}
          when="after that day"
          note="They then wait in the inbox to be moved."
        />
      )}
      {userId !== '' && (
        <>
          <Muted fontSize="0.875rem">
            Their account keeps its access until it is removed under{' '}
            <TextLink to={paths.members(businessId)}>Members and their roles</TextLink>.
          </Muted>
          {onUnlink && (
            <Stack gap="1" align="flex-start">
              <Button
                onClick={onUnlink}
                disabled={isSubmitting || isDirty}
                aria-describedby={isDirty ? unsavedId : undefined}
              >
                Unlink account
              </Button>
              {isDirty && (
                <Muted id={unsavedId} fontSize="0.875rem">
                  Save or cancel your changes before you unlink the account.
                </Muted>
              )}
            </Stack>
          )}
        </>
      )}
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        {stale && employee.version !== read.version && (
          <Button onClick={startOver} minHeight="12">
            Start from how it is now
          </Button>
        )}
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button
          type="submit"
          variant={strands ? 'danger' : 'contained'}
          loading={isSubmitting}
          disabled={booked.looking}
        >
          {strands ? 'Save anyway' : 'Save'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** For which time an employee would no longer be here, if they were to be until now, and who is booked then. */
function useLeaving(businessId: string, zone: string, { id, lastDay: before }: Employee, lastDay: string) {
  const [now] = useState(() => new Date());
  const policy = useQuery(policyQuery(businessId));
  const settled = useSettled(lastDay);
  const leaves = DATE.test(lastDay) && (before === '' || lastDay < before);
  const today = dayKey(now, zone);
  // No visit is booked later, so none has to be looked for.
  const days = policy.data?.policy?.horizonDays || MOST_DAYS_AHEAD;
  const leaving = leaves
    ? {
        from: lastDay < today ? now : instantOf(dayAfter(lastDay, 1), 0, zone),
        to: instantOf(dayAfter(today, days + 1), 0, zone),
      }
    : undefined;
  const known = settled === lastDay && !policy.isPending;
  const booked = useBooked(businessId, id, known ? leaving : undefined, instantOf(today, 0, zone));
  return { leaving, booked: { ...booked, looking: booked.looking || (leaves && !known) } };
}

/** What was typed, once no more is. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function savedText(name: string, lastDay: string, before: string): string {
  if (lastDay === before) return `Saved ${name}.`;
  return lastDay ? `${name}’s last day is ${shortDateText(lastDay)}.` : `${name} stays in the team.`;
}
