import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useSending } from '../../api/action';
import { call } from '../../api/call';
import { type Resource, ResourceService } from '../../gen/frontdesk/scheduling/v1/resource_pb';
import { ApiError, fieldErrorsOf, messageOf } from '../../http/errors';
import { useKeptForm } from '../../session/use-draft';
import { Button } from '../../ui/button';
import { DialogActions, FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { Refusal } from '../../ui/states';
import { toasts } from '../../ui/toasts';
import { resourcesQuery } from './queries';

const fields = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Give it a name.')),
  kind: z.string().check(z.trim(), z.toLowerCase(), z.minLength(1, 'Say what it is, such as chair.')),
});

type ResourceDialogProps = {
  businessId: string;
  /** The one to rename; none to add one. */
  resource: Resource | undefined;
  kinds: string[];
  onClose: () => void;
};

/** Adds a chair, a room or a machine, or gives one another name. Its kind stays what it is. */
export function ResourceDialog({ businessId, resource, kinds, onClose }: ResourceDialogProps) {
  const queries = useQueryClient();
  const create = useSending(ResourceService.method.createResource);
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { name: resource?.name ?? '', kind: resource?.kind ?? kinds[0] ?? '' },
  });
  useKeptForm(resource ? `resource ${resource.id}` : 'new resource', form);
  const { errors, isSubmitting } = form.formState;
  const known = useId();

  const save = form.handleSubmit(async ({ name, kind }) => {
    try {
      if (resource)
        await call(ResourceService.method.renameResource, { businessId, resourceId: resource.id, name });
      else await create({ businessId, resource: { name, kind } });
      void queries.invalidateQueries({ queryKey: resourcesQuery(businessId).queryKey });
      toasts.show('good', resource ? `It is called ${name} now.` : `${name} is added.`);
      onClose();
    } catch (error) {
      const about = fieldErrorsOf(error);
      const nameError = about['resource.name'] ?? about.name;
      const kindError = about['resource.kind'];
      if (error instanceof ApiError && error.reason === 'ALREADY_EXISTS')
        form.setError('name', { message: 'Another one has this name.' }, { shouldFocus: true });
      else if (nameError) form.setError('name', { message: nameError }, { shouldFocus: true });
      else if (kindError) form.setError('kind', { message: kindError }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'It could not be saved.') });
    }
  });

  return (
    <FormDialog
      title={resource ? `Rename ${resource.name}` : 'New resource'}
      busy={isSubmitting}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="As people of the salon call it, such as Chair 2."
        autoComplete="off"
        error={errors.name?.message}
        {...form.register('name')}
      />
      {!resource && (
        <TextField
          label="Kind"
          hint="Services name the kinds they need, such as chair, room or steamer."
          autoComplete="off"
          autoCapitalize="none"
          list={known}
          error={errors.kind?.message}
          {...form.register('kind')}
        />
      )}
      <datalist id={known}>
        {kinds.map((kind) => (
          <option key={kind} value={kind} />
        ))}
      </datalist>
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          {resource ? 'Rename' : 'Add resource'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
