import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { methodKey } from '../api/query';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { PairingService } from '../gen/frontdesk/scheduling/v1/pairing_pb';
import { ApiError, fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';

const fields = z
  .object({
    serviceId: z.string().check(z.minLength(1, 'Choose a service.')),
    suggestedServiceId: z.string().check(z.minLength(1, 'Choose a service.')),
    note: z.string().check(z.trim(), z.maxLength(200, 'At most 200 characters.')),
  })
  .check(
    z.refine(({ serviceId, suggestedServiceId }) => serviceId === '' || serviceId !== suggestedServiceId, {
      path: ['suggestedServiceId'],
      message: 'Choose another service.',
    }),
  );

export type PairingWish = { serviceId: string; suggestedServiceId: string };

type PairingDialogProps = {
  businessId: string;
  services: Service[];
  wish: PairingWish;
  onClose: () => void;
};

/** Creates a pairing: a service that is suggested when another is booked. */
export function PairingDialog({ businessId, services, wish, onClose }: PairingDialogProps) {
  const queries = useQueryClient();
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { ...wish, note: '' } });
  useKeptForm('new pairing', form);
  const { errors, isSubmitting } = form.formState;

  const save = form.handleSubmit(async (input) => {
    try {
      await call(PairingService.method.createPairing, { businessId, ...input });
      const list = methodKey(PairingService.method.listPairings);
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === list });
      toasts.show('good', 'It is suggested from now on.');
      onClose();
    } catch (error) {
      const about = fieldErrorsOf(error);
      const exists = error instanceof ApiError && error.reason === 'ALREADY_EXISTS';
      const suggested = exists ? 'This is suggested already.' : about.suggested_service_id;
      if (suggested) form.setError('suggestedServiceId', { message: suggested }, { shouldFocus: true });
      else if (about.service_id)
        form.setError('serviceId', { message: about.service_id }, { shouldFocus: true });
      else if (about.note) form.setError('note', { message: about.note }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'The pairing could not be made.') });
    }
  });

  const choices = services.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
  return (
    <FormDialog title="New pairing" busy={isSubmitting} onSubmit={() => void save()} onClose={onClose}>
      <SelectField label="Who books" error={errors.serviceId?.message} {...form.register('serviceId')}>
        <option value="">Choose…</option>
        {choices}
      </SelectField>
      <SelectField
        label="Is offered"
        error={errors.suggestedServiceId?.message}
        {...form.register('suggestedServiceId')}
      >
        <option value="">Choose…</option>
        {choices}
      </SelectField>
      <TextField
        label="How to say it (optional)"
        hint="The agent reads it when it suggests."
        autoComplete="off"
        error={errors.note?.message}
        {...form.register('note')}
      />
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Add pairing
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
