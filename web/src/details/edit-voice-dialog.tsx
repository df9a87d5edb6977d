import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useAction } from '../api/action';
import {
  type VoiceConnection,
  VoiceConnectionService,
  VoicePlatform,
} from '../gen/frontdesk/tenancy/v1/voice_connection_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { agentPublicationsQuery, voiceConnectionsQuery } from './queries';
import { voicePlatform } from './webhook';

const fields = z.object({
  label: z.string().check(z.trim(), z.minLength(1, 'Give the line a name.')),
  platformAgentId: z.string(),
  voice: z.string(),
});

type EditVoiceDialogProps = { businessId: string; connection: VoiceConnection; onClose: () => void };

/** Changes what a connection is called, which agent at the platform is the salon's and how that one sounds. */
export function EditVoiceDialog({ businessId, connection, onClose }: EditVoiceDialogProps) {
  const queries = useQueryClient();
  const { label, platformAgentId, voice, platform } = connection;
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { label, platformAgentId, voice } });
  useKeptForm('voice line', form);
  const { errors } = form.formState;
  const { act, running, error } = useAction(VoiceConnectionService.method.updateVoiceConnection, {
    onDone: (_, changed) => {
      void queries.invalidateQueries({ queryKey: voiceConnectionsQuery(businessId).queryKey });
      void queries.invalidateQueries({ queryKey: agentPublicationsQuery(businessId).queryKey });
      toasts.show('good', `Changed ${changed.label}.`);
      onClose();
    },
  });
  const wrong = fieldErrorsOf(error);
  const isNamed = wrong.label || wrong.platformAgentId || wrong.voice;
  const known = voicePlatform(platform);
  const request = { businessId, voiceConnectionId: connection.id };
  return (
    <FormDialog
      title={`Edit ${label}`}
      busy={running}
      onSubmit={() => void form.handleSubmit((values) => act({ ...request, ...values }))()}
      onClose={onClose}
    >
      <TextField
        label="Name of the line"
        autoComplete="off"
        error={errors.label?.message ?? wrong.label}
        {...form.register('label')}
      />
      {platform !== VoicePlatform.TWILIO && (
        <>
          <TextField
            label={platform === VoicePlatform.VAPI ? 'Assistant id' : 'Agent id'}
            hint={`Frontdesk publishes to this one at ${known.name}.`}
            autoComplete="off"
            error={errors.platformAgentId?.message ?? wrong.platformAgentId}
            {...form.register('platformAgentId')}
          />
          <TextField
            label="Voice (optional)"
            hint={known.voiceHint}
            autoComplete="off"
            error={errors.voice?.message ?? wrong.voice}
            {...form.register('voice')}
          />
        </>
      )}
      <Refusal>{error && !isNamed ? messageOf(error, 'The line could not be changed.') : undefined}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Save
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
