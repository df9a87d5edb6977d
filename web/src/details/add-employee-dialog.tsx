import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useSending } from '../api/action';
import { employeesQuery } from '../business/queries';
import { readTeamAgain } from '../business/read-team-again';
import { EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { employeeName } from './employee-name';

const fields = z.object({ name: employeeName });

type AddEmployeeDialogProps = { businessId: string; onClose: () => void };

/** Adds a person who serves customers. */
export function AddEmployeeDialog({ businessId, onClose }: AddEmployeeDialogProps) {
  const queries = useQueryClient();
  const create = useSending(EmployeeService.method.createEmployee);
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { name: '' } });
  useKeptForm('new employee', form);
  const { errors, isSubmitting } = form.formState;
  const add = form.handleSubmit(async ({ name }) => {
    try {
      await create({ businessId, name });
      void queries.invalidateQueries({ queryKey: employeesQuery(businessId).queryKey });
      readTeamAgain();
      toasts.show('good', `${name} is part of the team. Set their hours and services next.`);
      onClose();
    } catch (error) {
      const about = fieldErrorsOf(error).name;
      if (about) form.setError('name', { message: about }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'The employee could not be added.') });
    }
  });
  return (
    <FormDialog title="Add employee" busy={isSubmitting} onSubmit={() => void add()} onClose={onClose}>
      <Text>
        Set their weekly hours and services next: they can’t be booked before. To let them sign in, invite
        them.
      </Text>
      <TextField label="Name" autoComplete="off" error={errors.name?.message} {...form.register('name')} />
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Add employee
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
