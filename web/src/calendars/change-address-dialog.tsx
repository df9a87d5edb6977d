import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { type Calendar, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { AddressField, address, addressFault } from './address-field';
import { calendarsQuery } from './queries';

const fields = z.object({ address });

type ChangeAddressDialogProps = { businessId: string; calendar: Calendar; name: string; onClose: () => void };

/** Replaces the address of a published calendar, once a calendar was read there. */
export function ChangeAddressDialog({ businessId, calendar, name, onClose }: ChangeAddressDialogProps) {
  const queries = useQueryClient();
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { address: '' } });
  const { errors, isSubmitting } = form.formState;
  const save = form.handleSubmit(async ({ address }) => {
    try {
      await call(CalendarService.method.changeIcsAddress, { businessId, calendarId: calendar.id, address });
      void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
      toasts.show('good', `${calendar.name} of ${name} has its new address. It is being read now.`);
      onClose();
    } catch (error) {
      const { field, message } = addressFault(error, 'The address could not be changed.');
      form.setError(field, { message }, { shouldFocus: field === 'address' });
    }
  });
  return (
    <FormDialog
      title={`Change the address of ${calendar.name}`}
      busy={isSubmitting}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Text>
        The calendar is at {calendar.shownAddress} now. After the new address is read, events that are only at
        the old one no longer block {name}’s time.
      </Text>
      <AddressField label="New address" error={errors.address?.message} {...form.register('address')} />
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Change address
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
