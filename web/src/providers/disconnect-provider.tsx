import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import {
  type ProviderConnection,
  ProviderConnectionService,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/dialog';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { connectionsQuery } from './queries';

type DisconnectProviderProps = { businessId: string; connection: ProviderConnection };

/** Disconnects a booking system once that is confirmed. */
export function DisconnectProvider({ businessId, connection }: DisconnectProviderProps) {
  const { id: connectionId, label } = connection;
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const { act, running, error } = useAction(ProviderConnectionService.method.disconnectProvider, {
    onDone: () => {
      setAsking(false);
      void queries.invalidateQueries({ queryKey: connectionsQuery(businessId).queryKey });
      toasts.show('good', `${label} is disconnected, and its token is forgotten.`);
    },
  });
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Disconnect ${label}?`}
          confirm="Disconnect"
          keep="Keep it connected"
          running={running}
          refused={error && messageOf(error, 'The booking system could not be disconnected.')}
          onConfirm={() => act({ businessId, connectionId })}
          onClose={() => setAsking(false)}
        >
          <Text>
            Its token, its mapping and its runs are forgotten. What is booked there no longer keeps employees’
            time free here; appointments that were written there stay.
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
