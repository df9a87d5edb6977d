import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { type CaldavCalendar, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { ApiError, fieldErrorsOf, messageOf } from '../http/errors';
import { PasswordField, TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { CalendarDialog, EmployeeField, type Person, useCalendarRead } from './calendar-dialog';

const fields = z.object({
  server: z.string().check(z.trim(), z.minLength(1, 'Enter the server’s address.')),
  username: z.string().check(z.trim(), z.minLength(1, 'Enter the user name.')),
  password: z.string().check(z.minLength(1, 'Enter the password.')),
  url: z.string(),
  employeeId: z.string(),
});

type ConnectCaldavDialogProps = { businessId: string; people: readonly Person[]; onClose: () => void };

/** Connects a calendar on a CalDAV server: first the account, then one of its calendars and whose it is. */
export function ConnectCaldavDialog({ businessId, people, onClose }: ConnectCaldavDialogProps) {
  const done = useCalendarRead(businessId, onClose);
  const [found, setFound] = useState<readonly CaldavCalendar[]>();
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { server: '', username: '', password: '', url: '', employeeId: people[0]?.id ?? '' },
  });
  const { errors, isSubmitting } = form.formState;
  const writable = found?.filter(({ isWritable }) => isWritable) ?? [];

  const refuse = (error: unknown, fallback: string) => {
    const about = fieldErrorsOf(error);
    const exists = error instanceof ApiError && error.reason === 'ALREADY_EXISTS';
    const [server, password] = [about['account.server'], about['account.password']];
    const url = exists ? 'This calendar is connected already.' : about.url;
    if (server) form.setError('server', { message: server }, { shouldFocus: true });
    else if (about['account.username']) form.setError('username', { message: about['account.username'] });
    else if (password) form.setError('password', { message: password }, { shouldFocus: true });
    else if (url) form.setError('url', { message: url }, { shouldFocus: true });
    else form.setError('root', { message: messageOf(error, fallback) });
  };

  const submit = form.handleSubmit(async ({ server, username, password, url, employeeId }) => {
    const account = { server, username, password };
    if (!found) {
      try {
        const { calendars } = await call(CalendarService.method.findCaldavCalendars, { businessId, account });
        setFound(calendars);
        form.setValue('url', calendars.find(({ isWritable }) => isWritable)?.url ?? '');
      } catch (error) {
        refuse(error, 'The calendars could not be looked up.');
      }
      return;
    }
    try {
      const { calendar } = await call(CalendarService.method.connectCaldavCalendar, {
        businessId,
        account,
        url,
        employeeId,
      });
      done(`${calendar?.name ?? 'The calendar'} is connected.`);
    } catch (error) {
      refuse(error, 'The calendar could not be connected.');
    }
  });

  const account = {
    // Another account has other calendars.
    onChange: () => setFound(undefined),
  };
  return (
    <CalendarDialog
      title="Connect a CalDAV calendar"
      about="iCloud, Fastmail, Nextcloud and others. Some ask for a password made for one app. It is stored encrypted and never shown again."
      action={found ? (writable.length > 0 ? 'Connect' : undefined) : 'Find calendars'}
      busy={isSubmitting}
      refusal={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Server"
        hint="Your e-mail address, a server such as caldav.icloud.com, or the address that the calendar’s settings show."
        autoComplete="off"
        error={errors.server?.message}
        {...form.register('server', account)}
      />
      <TextField
        label="User name"
        autoComplete="off"
        error={errors.username?.message}
        {...form.register('username', account)}
      />
      <PasswordField
        label="Password"
        autoComplete="off"
        error={errors.password?.message}
        {...form.register('password', account)}
      />
      {found && writable.length === 0 && (
        <Refusal>
          {found.length === 0
            ? 'This account has no calendar.'
            : 'This account may only read its calendars. Appointments could not be written to them.'}
        </Refusal>
      )}
      {writable.length > 0 && (
        <>
          <SelectField label="Calendar" error={errors.url?.message} {...form.register('url')}>
            {writable.map(({ url, name }) => (
              <option key={url} value={url}>
                {name}
              </option>
            ))}
          </SelectField>
          <EmployeeField people={people} {...form.register('employeeId')} />
        </>
      )}
    </CalendarDialog>
  );
}
