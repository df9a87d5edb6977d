import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { ProviderConnectionService, ProviderKind } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { PasswordField, TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { connectionsQuery } from './queries';

const fields = z.object({
  label: z.string().check(z.trim(), z.minLength(1, 'Give it a name.')),
  token: z.string().check(z.trim(), z.minLength(1, 'Enter the token.')),
});

type TokenDialogProps = {
  businessId: string;
  /** Whose token is replaced; without it, a connection is made. */
  connectionId?: string;
  onClose: () => void;
};

/** Takes a token: of a new connection, or in the place of an older one. */
export function TokenDialog({ businessId, connectionId, onClose }: TokenDialogProps) {
  const queries = useQueryClient();
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { label: 'Demo booking system', token: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const save = form.handleSubmit(async ({ label, token }) => {
    try {
      if (connectionId) {
        await call(ProviderConnectionService.method.rotateProviderToken, { businessId, connectionId, token });
      } else {
        await call(ProviderConnectionService.method.connectProvider, {
          businessId,
          kind: ProviderKind.DEMO,
          label,
          token,
        });
      }
      void queries.invalidateQueries({ queryKey: connectionsQuery(businessId).queryKey });
      toasts.show('good', connectionId ? 'The new token works, and is kept.' : `${label} is connected.`);
      onClose();
    } catch (error) {
      const about = fieldErrorsOf(error);
      if (about.token) form.setError('token', { message: about.token }, { shouldFocus: true });
      else if (about.label) form.setError('label', { message: about.label }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'The token could not be kept.') });
    }
  });
  return (
    <FormDialog
      title={connectionId ? 'Replace the token' : 'Connect the demo booking system'}
      busy={isSubmitting}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {!connectionId && (
        <TextField
          label="Name"
          autoComplete="off"
          error={errors.label?.message}
          {...form.register('label')}
        />
      )}
      <PasswordField
        label="Token"
        autoComplete="off"
        error={errors.token?.message}
        {...form.register('token')}
      />
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          {connectionId ? 'Replace' : 'Connect'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
