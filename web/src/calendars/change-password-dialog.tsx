import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { type Calendar, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { PasswordField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { calendarsQuery } from './queries';

const fields = z.object({ password: z.string().check(z.minLength(1, 'Enter the password.')) });

type ChangePasswordDialogProps = {
  businessId: string;
  calendar: Calendar;
  name: string;
  onClose: () => void;
};

/** Replaces the password of a calendar on a CalDAV server, once the server takes it. */
export function ChangePasswordDialog({ businessId, calendar, name, onClose }: ChangePasswordDialogProps) {
  const queries = useQueryClient();
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { password: '' } });
  const { errors, isSubmitting } = form.formState;
  const save = form.handleSubmit(async ({ password }) => {
    try {
      await call(CalendarService.method.changeCaldavPassword, {
        businessId,
        calendarId: calendar.id,
        password,
      });
      void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
      toasts.show('good', `${calendar.name} of ${name} has its new password. It is being read now.`);
      onClose();
    } catch (error) {
      const about = fieldErrorsOf(error);
      const password = about.password ?? about['account.password'];
      if (password) form.setError('password', { message: password }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'The password could not be changed.') });
    }
  });
  return (
    <FormDialog
      title={`Change the password of ${calendar.name}`}
      busy={isSubmitting}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Text>
        The server is asked first. Frontdesk stores the password encrypted and never shows it again.
      </Text>
      <PasswordField
        label="New password"
        autoComplete="off"
        error={errors.password?.message}
        {...form.register('password')}
      />
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Change password
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
