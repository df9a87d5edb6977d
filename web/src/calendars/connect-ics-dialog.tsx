import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { AddressField, address, addressFault } from './address-field';
import { calendarsQuery } from './queries';

const fields = z.object({ address, employeeId: z.string() });

type Person = { id: string; name: string };
type ConnectIcsDialogProps = { businessId: string; people: readonly Person[]; onClose: () => void };

/** Connects a calendar that is published under an address, which is read once before it is kept. */
export function ConnectIcsDialog({ businessId, people, onClose }: ConnectIcsDialogProps) {
  const queries = useQueryClient();
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { address: '', employeeId: people[0]?.id ?? '' },
  });
  const { errors, isSubmitting } = form.formState;
  const connect = form.handleSubmit(async ({ address, employeeId }) => {
    try {
      const { calendar } = await call(CalendarService.method.connectIcsCalendar, {
        businessId,
        address,
        employeeId,
      });
      void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
      toasts.show('good', `${calendar?.name ?? 'The calendar'} is connected. It is being read now.`);
      onClose();
    } catch (error) {
      const { field, message } = addressFault(error, 'The calendar could not be connected.');
      form.setError(field, { message }, { shouldFocus: field === 'address' });
    }
  });
  return (
    <FormDialog
      title="Connect a calendar by its address"
      busy={isSubmitting}
      onSubmit={() => void connect()}
      onClose={onClose}
    >
      <Text>
        Salon systems, Apple, Outlook, Google and Fastmail publish a calendar under a secret address, often
        called iCal, ICS or “published calendar”. Events in it keep its owner’s time free here. Appointments
        are not written to it.
      </Text>
      <AddressField label="Address" error={errors.address?.message} {...form.register('address')} />
      <SelectField label="Employee" {...form.register('employeeId')}>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Connect
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
