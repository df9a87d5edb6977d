import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { type Calendar, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { PasswordField } from '../ui/field';
import { CalendarDialog, useCalendarRead } from './calendar-dialog';

const fields = z.object({ password: z.string().check(z.minLength(1, 'Enter the password.')) });

type ChangePasswordDialogProps = {
  businessId: string;
  calendar: Calendar;
  name: string;
  onClose: () => void;
};

/** Replaces the password of a calendar on a CalDAV server, once the server takes it. */
export function ChangePasswordDialog({ businessId, calendar, name, onClose }: ChangePasswordDialogProps) {
  const done = useCalendarRead(businessId, onClose);
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { password: '' } });
  const { errors, isSubmitting } = form.formState;
  const save = form.handleSubmit(async ({ password }) => {
    try {
      await call(CalendarService.method.changeCaldavPassword, {
        businessId,
        calendarId: calendar.id,
        password,
      });
      done(`${calendar.name} of ${name} has its new password.`);
    } catch (error) {
      const about = fieldErrorsOf(error);
      const password = about.password ?? about['account.password'];
      if (password) form.setError('password', { message: password }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'The password could not be changed.') });
    }
  });
  return (
    <CalendarDialog
      title={`Change the password of ${calendar.name}`}
      about="The server is asked first. Frontdesk stores the password encrypted and never shows it again."
      action="Change password"
      busy={isSubmitting}
      refusal={errors.root?.message}
      onSubmit={save}
      onClose={onClose}
    >
      <PasswordField
        label="New password"
        autoComplete="off"
        error={errors.password?.message}
        {...form.register('password')}
      />
    </CalendarDialog>
  );
}
