import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { upcomingText } from '../calendars/cleanup';
import {
  type ProviderConnection,
  ProviderConnectionService,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { ConfirmDialog } from '../ui/dialog';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { connectionsQuery } from './queries';

type DisconnectProviderProps = { businessId: string; connection: ProviderConnection };

/** Disconnects a booking system once that is confirmed. */
export function DisconnectProvider({ businessId, connection }: DisconnectProviderProps) {
  const { id: connectionId, label, writtenCount } = connection;
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  // The system may write to customers whose visit is cancelled there.
  const [cancels, setCancels] = useState(false);
  const takeOut = cancels && writtenCount > 0;
  const { act, running, error } = useAction(ProviderConnectionService.method.disconnectProvider, {
    onDone: () => {
      setAsking(false);
      const { queryKey } = connectionsQuery(businessId);
      void queries.invalidateQueries({ queryKey }).then(() => {
        const left = queries.getQueryData(queryKey)?.connections;
        // While appointments are cancelled, the page says how far that is, and that it is done.
        const isListed = left?.some(({ id }) => id === connectionId);
        if (!takeOut || !isListed)
          toasts.show('good', `${label} is disconnected, and its token is forgotten.`);
      });
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
          onConfirm={() => act({ businessId, connectionId, takeOut })}
          onClose={() => setAsking(false)}
        >
          <Text>
            Its token, its mapping and its runs are forgotten. What is booked there no longer keeps employees’
            time free here.
          </Text>
          {writtenCount > 0 && (
            <>
              <CheckField
                label={`Cancel there the ${upcomingText(writtenCount)} that Frontdesk wrote`}
                checked={cancels}
                onChange={({ currentTarget }) => setCancels(currentTarget.checked)}
              />
              <Muted fontSize="0.875rem">
                {cancels
                  ? `${label} may write to customers whose visit is cancelled there. Past appointments stay, and the token is kept until all are cancelled.`
                  : 'They stay there, and no longer follow what is changed here.'}
              </Muted>
            </>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
