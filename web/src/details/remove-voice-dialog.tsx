import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import {
  type VoiceConnection,
  VoiceConnectionService,
} from '../gen/frontdesk/tenancy/v1/voice_connection_pb';
import { messageOf } from '../http/errors';
import { ConfirmDialog } from '../ui/dialog';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { agentPublicationsQuery, voiceConnectionsQuery } from './queries';
import { voicePlatform } from './webhook';

type RemoveVoiceDialogProps = { businessId: string; connection: VoiceConnection; onClose: () => void };

/** Asks before a connection is removed: it can't be brought back without its secret. */
export function RemoveVoiceDialog({ businessId, connection, onClose }: RemoveVoiceDialogProps) {
  const queries = useQueryClient();
  const { act, running, error } = useAction(VoiceConnectionService.method.deleteVoiceConnection, {
    onDone: () => {
      void queries.invalidateQueries({ queryKey: voiceConnectionsQuery(businessId).queryKey });
      void queries.invalidateQueries({ queryKey: agentPublicationsQuery(businessId).queryKey });
      toasts.show('good', `Removed ${connection.label}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${connection.label}?`}
      confirm="Remove the line"
      keep="Cancel"
      running={running}
      refused={error && messageOf(error, 'The line could not be removed.')}
      onConfirm={() => act({ businessId, voiceConnectionId: connection.id })}
      onClose={onClose}
    >
      <Text>
        Frontdesk refuses what {voicePlatform(connection.platform).name} delivers for it from then on, and the
        agent there can look nothing up. Calls that were taken stay.
      </Text>
    </ConfirmDialog>
  );
}
