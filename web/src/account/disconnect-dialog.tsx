import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { messageOf } from '../api/errors';
import { AccountService, type Identity } from '../gen/frontdesk/auth/v1/account_pb';
import { isWrongPassword } from '../session/wrong-password';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { PasswordField } from '../ui/field';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { eventPages, identitiesQuery } from './queries';

const fields = (hasPassword: boolean) =>
  z.object({ currentPassword: z.string().check(z.minLength(hasPassword ? 1 : 0, 'Enter your password.')) });

type DisconnectDialogProps = { identity: Identity; hasPassword: boolean; onClose: () => void };

/** Asks before a way in goes, and for the password as proof of who asks. */
export function DisconnectDialog({ identity, hasPassword, onClose }: DisconnectDialogProps) {
  const queries = useQueryClient();
  const form = useForm({
    resolver: zodResolver(fields(hasPassword)),
    defaultValues: { currentPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;

  const disconnect = form.handleSubmit(async ({ currentPassword }) => {
    try {
      await call(AccountService.method.disconnectIdentity, { identityId: identity.id, currentPassword });
      for (const { queryKey } of [identitiesQuery(), eventPages()])
        void queries.invalidateQueries({ queryKey });
      toasts.show('good', 'Google account disconnected.');
      onClose();
    } catch (error) {
      if (isWrongPassword(error))
        form.setError('currentPassword', { message: 'That is not your password.' }, { shouldFocus: true });
      else {
        toasts.show('bad', messageOf(error, 'The Google account could not be disconnected.'));
        onClose();
      }
    }
  });

  return (
    <FormDialog
      title="Disconnect this Google account?"
      busy={isSubmitting}
      onSubmit={() => void disconnect()}
      onClose={onClose}
    >
      <Text>{identity.email} no longer signs you in. You can connect it again at any time.</Text>
      {hasPassword && (
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          error={errors.currentPassword?.message}
          {...form.register('currentPassword')}
        />
      )}
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Keep it
        </Button>
        <Button type="submit" variant="danger" loading={isSubmitting}>
          Disconnect
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
