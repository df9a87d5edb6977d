import { Stack } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { useSending } from '../api/action';
import { methodKey } from '../api/query';
import { giveOpeningHours, giveServices } from '../business/employ';
import { employeesQuery, openingHoursQuery } from '../business/queries';
import { readTeamAgain } from '../business/read-team-again';
import { CatalogueService } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { type Employee, EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { paths } from '../paths';
import { useServices } from '../services/use-services';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { employeeName } from './employee-name';

const fields = z.object({ name: employeeName, withHours: z.boolean(), withServices: z.boolean() });

type AddEmployeeDialogProps = {
  businessId: string;
  /** The first of a salon are mostly people who do everything, whenever it is open. */
  first: boolean;
  onClose: () => void;
};

/** Adds a person who serves customers. */
export function AddEmployeeDialog({ businessId, first, onClose }: AddEmployeeDialogProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const create = useSending(EmployeeService.method.createEmployee);
  const opening = useQuery(openingHoursQuery(businessId)).data?.spans ?? [];
  const services = useServices(businessId).data?.pages.flatMap((page) => page.services) ?? [];
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { name: '', withHours: first, withServices: first },
  });
  useKeptForm('new employee', form);
  const { errors, isSubmitting } = form.formState;
  /** What they were wanted with, and lack. */
  const equip = async (employee: Employee, withHours: boolean, withServices: boolean) => {
    const lacks: string[] = [];
    if (!withHours || opening.length === 0) lacks.push('hours');
    if (!withServices || services.length === 0) lacks.push('services');
    try {
      if (!lacks.includes('hours')) await giveOpeningHours(businessId, employee.id, opening);
      if (!lacks.includes('services')) await giveServices(businessId, employee, services);
    } catch (error) {
      // They are in the list, which says what they lack.
      toasts.show('bad', messageOf(error, `Not everything could be set for ${employee.name}.`));
    }
    return lacks;
  };
  const add = form.handleSubmit(async ({ name, withHours, withServices }) => {
    try {
      const { employee } = await create({ businessId, name });
      const lacks = employee ? await equip(employee, withHours, withServices) : [];
      void queries.invalidateQueries({ queryKey: employeesQuery(businessId).queryKey });
      void queries.invalidateQueries({ queryKey: [methodKey(CatalogueService.method.listServices)] });
      readTeamAgain();
      const hours = employee &&
        lacks.includes('hours') && {
          label: 'Set hours',
          run: () => void navigate(paths.teamMember(businessId, employee.id)),
        };
      const next = lacks.length > 0 ? ` Set their ${lacks.join(' and ')} next.` : '';
      toasts.show('good', `${name} is part of the team.${next}`, hours || undefined);
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
        They can’t be booked before they have weekly hours and services. To let them sign in, invite them.
      </Text>
      <TextField label="Name" autoComplete="off" error={errors.name?.message} {...form.register('name')} />
      {(opening.length > 0 || services.length > 0) && (
        <Stack gap="0">
          {opening.length > 0 && (
            <CheckField label="Works whenever the salon is open" {...form.register('withHours')} />
          )}
          {services.length > 0 && (
            <CheckField label="Does every service" {...form.register('withServices')} />
          )}
        </Stack>
      )}
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
