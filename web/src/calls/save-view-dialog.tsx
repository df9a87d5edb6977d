import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useAction } from '../api/action';
import { CallViewService } from '../gen/frontdesk/telemetry/v1/call_view_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { callViewsQuery } from './queries';

const LONGEST_NAME = 60;
const fields = z.object({ name: z.string().check(z.trim(), z.minLength(1, 'Give the view a name.')) });

type SaveViewDialogProps = { businessId: string; query: string; names: string[]; onClose: () => void };

/** Saves the filters of the list under a name. */
export function SaveViewDialog({ businessId, query, names, onClose }: SaveViewDialogProps) {
  const queries = useQueryClient();
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { name: '' } });
  useKeptForm('call view', form);
  const { errors } = form.formState;
  const { act, running, error } = useAction(CallViewService.method.saveCallView, {
    onDone: (_, { name = '' }) => {
      void queries.invalidateQueries({ queryKey: callViewsQuery(businessId).queryKey });
      toasts.show('good', `Saved these filters as ${name}.`);
      onClose();
    },
  });
  const replaces = names.includes(form.watch('name').trim());
  const refused = fieldErrorsOf(error).name;
  return (
    <FormDialog
      title="Save these filters"
      busy={running}
      onSubmit={() => void form.handleSubmit(({ name }) => act({ businessId, name, query }))()}
      onClose={onClose}
    >
      <TextField
        label="Name of the view"
        autoComplete="off"
        maxLength={LONGEST_NAME}
        hint={replaces ? 'A view of this name exists: saving replaces it.' : whatIsSaved(query)}
        error={errors.name?.message ?? refused}
        {...form.register('name')}
      />
      <Refusal>{error && !refused ? messageOf(error, 'The view could not be saved.') : undefined}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          {replaces ? 'Replace the view' : 'Save the view'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** Without filters, a view is the whole list. */
const whatIsSaved = (query: string) =>
  query ? 'You alone see your views.' : 'No filter is set: this view shows every call. You alone see it.';
