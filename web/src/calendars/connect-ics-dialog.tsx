import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { AddressField, address, addressFault } from './address-field';
import { CalendarDialog, EmployeeField, type Person, useCalendarRead } from './calendar-dialog';

const fields = z.object({ address, employeeId: z.string() });

type ConnectIcsDialogProps = { businessId: string; people: readonly Person[]; onClose: () => void };

/** Connects a calendar that is published under an address, which is read once before it is kept. */
export function ConnectIcsDialog({ businessId, people, onClose }: ConnectIcsDialogProps) {
  const done = useCalendarRead(businessId, onClose);
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
      done(`${calendar?.name ?? 'The calendar'} is connected.`);
    } catch (error) {
      const { field, message } = addressFault(error, 'The calendar could not be connected.');
      form.setError(field, { message }, { shouldFocus: field === 'address' });
    }
  });
  return (
    <CalendarDialog
      title="Connect a calendar by its address"
      about="Salon systems, Apple, Outlook, Google and Fastmail publish a calendar under a secret address, often called iCal, ICS or “published calendar”. Events in it keep its owner’s time free here. Appointments are not written to it."
      action="Connect"
      busy={isSubmitting}
      refusal={errors.root?.message}
      onSubmit={connect}
      onClose={onClose}
    >
      <AddressField label="Address" error={errors.address?.message} {...form.register('address')} />
      <EmployeeField people={people} {...form.register('employeeId')} />
    </CalendarDialog>
  );
}
