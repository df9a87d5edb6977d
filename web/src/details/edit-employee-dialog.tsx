import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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

/** As far ahead as the longest booking horizon. */
const DAYS_AHEAD = 731;
/** A field may hold a year of more digits while it is typed. */
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const fields = z.object({ name: employeeName, lastDay: z.string() });

type EditEmployeeDialogProps = {
  businessId: string;
  zone: string;
  /** As last read. */
  employee: Employee;
  onClose: () => void;
};

const valuesOf = ({ name, lastDay }: Employee) => ({ name, lastDay });

/** What an employee is called, and until when they stay. */
export function EditEmployeeDialog({ businessId, zone, employee, onClose }: EditEmployeeDialogProps) {
  const { id: employeeId, userId } = employee;
  const queries = useQueryClient();
  const [read, setRead] = useState(employee);
  const [stale, setStale] = useState(false);
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: valuesOf(employee),
  });
  useKeptForm(`employee ${employeeId}`, form);
  const { errors, isSubmitting } = form.formState;
  const lastDay = form.watch('lastDay');
  const leaving = useTimeAfter(zone, read.lastDay, lastDay);
  const booked = useBooked(businessId, employeeId, leaving);
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
        <Muted fontSize="0.875rem">
          Their account keeps its access until it is removed under{' '}
          <TextLink to={paths.members(businessId)}>Members and their roles</TextLink>.
        </Muted>
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

/** The time for which an employee would no longer be here, if they were to be until now. */
function useTimeAfter(zone: string, before: string, lastDay: string) {
  const [now] = useState(() => new Date());
  if (!DATE.test(lastDay) || (before !== '' && lastDay >= before)) return undefined;
  const today = dayKey(now, zone);
  return {
    from: lastDay < today ? now : instantOf(dayAfter(lastDay, 1), 0, zone),
    to: instantOf(dayAfter(today, DAYS_AHEAD), 0, zone),
  };
}

function savedText(name: string, lastDay: string, before: string): string {
  if (lastDay === before) return `Saved ${name}.`;
  return lastDay ? `${name}’s last day is ${shortDateText(lastDay)}.` : `${name} stays in the team.`;
}
