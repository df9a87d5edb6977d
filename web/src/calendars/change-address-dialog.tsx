import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { type Calendar, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { AddressField, address, addressFault } from './address-field';
import { CalendarDialog, useCalendarRead } from './calendar-dialog';

const fields = z.object({ address });

type ChangeAddressDialogProps = { businessId: string; calendar: Calendar; name: string; onClose: () => void };

/** Replaces the address of a published calendar, once a calendar was read there. */
export function ChangeAddressDialog({ businessId, calendar, name, onClose }: ChangeAddressDialogProps) {
  const done = useCalendarRead(businessId, onClose);
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { address: '' } });
  const { errors, isSubmitting } = form.formState;
  const save = form.handleSubmit(async ({ address }) => {
    try {
      await call(CalendarService.method.changeIcsAddress, { businessId, calendarId: calendar.id, address });
      done(`${calendar.name} of ${name} has its new address.`);
    } catch (error) {
      const { field, message } = addressFault(error, 'The address could not be changed.');
      form.setError(field, { message }, { shouldFocus: field === 'address' });
    }
  });
  return (
    <CalendarDialog
      title={`Change the address of ${calendar.name}`}
      about={`The calendar is at ${calendar.shownAddress} now. After the new address is read, events that are only at the old one no longer block ${name}’s time.`}
      action="Change address"
      busy={isSubmitting}
      refusal={errors.root?.message}
      onSubmit={save}
      onClose={onClose}
    >
      <AddressField label="New address" error={errors.address?.message} {...form.register('address')} />
    </CalendarDialog>
  );
}
