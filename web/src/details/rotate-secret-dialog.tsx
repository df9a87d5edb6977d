import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useAction } from '../api/action';
import {
  type VoiceConnection,
  VoiceConnectionService,
} from '../gen/frontdesk/tenancy/v1/voice_connection_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { PasswordField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { agentPublicationsQuery, voiceConnectionsQuery } from './queries';
import { newSecretText, voicePlatform } from './webhook';

const fields = z
  .object({ secret: z.string().check(z.trim()), apiKey: z.string().check(z.trim()) })
  .check(z.refine(({ secret, apiKey }) => secret !== '' || apiKey !== '', { path: ['secret'] }));

type RotateSecretDialogProps = { businessId: string; connection: VoiceConnection; onClose: () => void };

/** Replaces what deliveries of a connection are checked with, the key for its platform's API, or both. */
export function RotateSecretDialog({ businessId, connection, onClose }: RotateSecretDialogProps) {
  const queries = useQueryClient();
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { secret: '', apiKey: '' } });
  useKeptForm('voice secret', form);
  const { errors } = form.formState;
  const { act, running, error } = useAction(VoiceConnectionService.method.rotateVoiceSecret, {
    onDone: () => {
      void queries.invalidateQueries({ queryKey: voiceConnectionsQuery(businessId).queryKey });
      void queries.invalidateQueries({ queryKey: agentPublicationsQuery(businessId).queryKey });
      const { secret, apiKey } = form.getValues();
      const renewed = [secret.trim() && 'secret', apiKey.trim() && 'API key'].filter(Boolean).join(' and ');
      toasts.show('good', `${connection.label} uses the new ${renewed}.`);
      onClose();
    },
  });
  const wrong = fieldErrorsOf(error);
  const known = voicePlatform(connection.platform);
  const request = { businessId, voiceConnectionId: connection.id };
  return (
    <FormDialog
      title={`${newSecretText(connection.platform)} of ${connection.label}`}
      busy={running}
      onSubmit={() => void form.handleSubmit((values) => act({ ...request, ...values }))()}
      onClose={onClose}
    >
      <Text>
        {known.hasApiKey
          ? `Enter what ${known.name} signs with from now on, the key for its API, or both.`
          : `Enter what ${known.name} signs with from now on.`}{' '}
        A secret that is replaced counts for an hour more, so that no delivery is refused meanwhile.
      </Text>
      <PasswordField
        label={known.secret}
        hint={known.hasApiKey ? 'Empty keeps the secret there is.' : undefined}
        autoComplete="off"
        error={
          errors.secret ? `Enter the new one${known.hasApiKey ? ', or a new API key' : ''}.` : wrong.secret
        }
        {...form.register('secret')}
      />
      {known.hasApiKey && (
        <PasswordField
          label="API key"
          hint="Empty keeps the key there is."
          autoComplete="off"
          error={wrong.apiKey}
          {...form.register('apiKey')}
        />
      )}
      <Refusal>
        {error && !wrong.secret && !wrong.apiKey ? messageOf(error, 'Nothing could be replaced.') : undefined}
      </Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Replace
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
