import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import { VoiceConnectionService, VoicePlatform } from '../gen/frontdesk/tenancy/v1/voice_connection_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { PasswordField, TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { voiceConnectionsQuery } from './queries';

const fields = z.object({
  label: z.string().check(z.trim(), z.minLength(1, 'Give the line a name.')),
  secret: z.string().check(z.trim(), z.minLength(1, 'Enter the key that signs webhooks.')),
});

type ConnectVoiceDialogProps = { businessId: string; onClose: () => void };

/** Connects the account at a voice platform in which the agent is set up. */
export function ConnectVoiceDialog({ businessId, onClose }: ConnectVoiceDialogProps) {
  const queries = useQueryClient();
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { label: 'Front desk line', secret: '' },
  });
  useKeptForm('voice connection', form);
  const { errors, isSubmitting } = form.formState;
  const connect = form.handleSubmit(async ({ label, secret }) => {
    try {
      await call(VoiceConnectionService.method.createVoiceConnection, {
        businessId,
        platform: VoicePlatform.RETELL,
        label,
        secret,
      });
      void queries.invalidateQueries({ queryKey: voiceConnectionsQuery(businessId).queryKey });
      toasts.show('good', `${label} is connected.`);
      onClose();
    } catch (error) {
      const about = fieldErrorsOf(error);
      if (about.secret) form.setError('secret', { message: about.secret }, { shouldFocus: true });
      else if (about.label) form.setError('label', { message: about.label }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'The platform could not be connected.') });
    }
  });
  return (
    <FormDialog
      title="Connect Retell AI"
      busy={isSubmitting}
      onSubmit={() => void connect()}
      onClose={onClose}
    >
      <Text>
        The key is in the dashboard of Retell AI under API keys, marked as the one for webhooks. It is sealed
        here and never shown again.
      </Text>
      <TextField
        label="Name of the line"
        autoComplete="off"
        error={errors.label?.message}
        {...form.register('label')}
      />
      <PasswordField
        label="Webhook key"
        autoComplete="off"
        error={errors.secret?.message}
        {...form.register('secret')}
      />
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Connect
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
