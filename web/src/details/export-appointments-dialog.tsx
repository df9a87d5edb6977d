import { Grid } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { datesText } from '../time/day-text';
import { dayAfter } from '../time/local';
import { daysBetween } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { saveAppointments } from './export-appointments';

/** The server takes a last day at most 366 days after the first. */
const MAX_DAYS = 367;

const fields = z
  .object({
    firstDate: z.string().check(z.minLength(1, 'Choose the first day.')),
    lastDate: z.string().check(z.minLength(1, 'Choose the last day.')),
  })
  .check(
    // An empty field has no distance (NaN) and its own message.
    z.refine(({ firstDate, lastDate }) => !(daysBetween(firstDate, lastDate) < 0), {
      path: ['lastDate'],
      message: 'Choose a last day on or after the first day.',
    }),
    z.refine(({ firstDate, lastDate }) => !(daysBetween(firstDate, lastDate) >= MAX_DAYS), {
      path: ['lastDate'],
      message: `Choose at most ${MAX_DAYS} days.`,
    }),
  );

type ExportAppointmentsDialogProps = { businessId: string; today: string; onClose: () => void };

/** Asks which days' appointments are saved, and says that it is noted. */
export function ExportAppointmentsDialog({ businessId, today, onClose }: ExportAppointmentsDialogProps) {
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { firstDate: today, lastDate: dayAfter(today, 30) },
  });
  const { errors, isSubmitting } = form.formState;
  const save = form.handleSubmit(async (days) => {
    try {
      await saveAppointments(businessId, days);
      toasts.show('good', `Exported the appointments of ${datesText(days.firstDate, days.lastDate)}.`);
      onClose();
    } catch (error) {
      const about = fieldErrorsOf(error);
      if (about.first_date) form.setError('firstDate', { message: about.first_date }, { shouldFocus: true });
      else if (about.last_date)
        form.setError('lastDate', { message: about.last_date }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'The export did not go through.') });
    }
  });
  return (
    <FormDialog
      title="Export appointments"
      busy={isSubmitting}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Text>
        A table is saved with a line for each service: when, with whom, what, for which customer, and whether
        it was cancelled. The export appears in the list of changes with your name. Keep the file safe.
      </Text>
      <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} alignItems="start">
        <TextField
          label="First day"
          type="date"
          error={errors.firstDate?.message}
          {...form.register('firstDate', { deps: 'lastDate' })}
        />
        <TextField
          label="Last day"
          type="date"
          error={errors.lastDate?.message}
          {...form.register('lastDate')}
        />
      </Grid>
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Export
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
