import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { AccountService, type Identity } from '../gen/frontdesk/auth/v1/account_pb';
import { messageOf } from '../http/errors';
import { isWrongPassword } from '../session/wrong-password';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { CurrentPasswordField, currentPassword } from './change-form';
import { eventPages, identitiesQuery } from './queries';

const fields = (hasPassword: boolean) => z.object({ currentPassword: currentPassword(hasPassword) });

type DisconnectDialogProps = { identity: Identity; hasPassword: boolean; onClose: () => void };

/** Confirms the removal of a sign-in method, with the current password. */
export function DisconnectDialog({ identity, hasPassword, onClose }: DisconnectDialogProps) {
  const queries = useQueryClient();
  const form = useForm({
    resolver: zodResolver(fields(hasPassword)),
    defaultValues: { currentPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;

  const disconnect = form.handleSubmit(async (proof) => {
    try {
      await call(AccountService.method.disconnectIdentity, { identityId: identity.id, ...proof });
      for (const { queryKey } of [identitiesQuery(), eventPages()])
        void queries.invalidateQueries({ queryKey });
      toasts.show('good', 'Google account disconnected.');
      onClose();
    } catch (error) {
      if (isWrongPassword(error))
        form.setError('currentPassword', { message: 'That is not your password.' }, { shouldFocus: true });
      else {
        const message = messageOf(error, 'The Google account could not be disconnected.');
        form.setError('root', { message });
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
      {hasPassword && <CurrentPasswordField form={form} label="Your password" />}
      <Refusal>{errors.root?.message}</Refusal>
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
