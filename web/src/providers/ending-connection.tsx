import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useAction } from '../api/action';
import { CleanupProgress } from '../calendars/cleanup-progress';
import type { Cleanup } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import {
  type ProviderConnection,
  ProviderConnectionService,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { connectionsQuery } from './queries';

type EndingConnectionProps = {
  businessId: string;
  connection: ProviderConnection;
  cleanup: Cleanup;
  /** Opens the dialog that replaces its token, without which nothing may be cancelled there any more. */
  onReplace: (() => void) | undefined;
};

/** A booking system that is being disconnected: how far that is, and the ways out of it. */
export function EndingConnection({ businessId, connection, cleanup, onReplace }: EndingConnectionProps) {
  const queries = useQueryClient();
  const { id: connectionId, label } = connection;
  const refresh = () => void queries.invalidateQueries({ queryKey: connectionsQuery(businessId).queryKey });
  const onRefused = (error: unknown) => {
    refresh();
    toasts.show('bad', messageOf(error, `${label} is as it was.`));
  };
  const keep = useAction(ProviderConnectionService.method.keepProvider, {
    onDone: () => {
      refresh();
      toasts.show('good', `${label} stays connected. Its appointments are written again.`);
    },
    onRefused,
  });
  const end = useAction(ProviderConnectionService.method.disconnectProvider, { onDone: refresh, onRefused });
  const busy = keep.running || end.running;
  return (
    <Card title={label}>
      <Stack gap="4">
        <Text>
          It is being disconnected: the appointments to come that Frontdesk wrote are cancelled there first.
          Its token is kept until then.
        </Text>
        <CleanupProgress what={label} cleanup={cleanup} />
        <Flex gap="3" wrap="wrap">
          {cleanup.fault && (
            <Button
              loading={end.running}
              disabled={busy}
              onClick={() => end.act({ businessId, connectionId, takeOut: true })}
            >
              Try again
            </Button>
          )}
          {cleanup.fault && onReplace && <Button onClick={onReplace}>Replace token</Button>}
          <Button
            loading={keep.running}
            disabled={busy}
            onClick={() => keep.act({ businessId, connectionId })}
          >
            Keep connected
          </Button>
          <Button
            variant="quiet"
            disabled={busy}
            onClick={() => end.act({ businessId, connectionId, takeOut: false })}
          >
            Disconnect now and leave {cleanup.leftCount === 1 ? 'it' : 'them'}
          </Button>
        </Flex>
      </Stack>
    </Card>
  );
}

/** Says of each booking system that was being disconnected when it is. */
export function ToldEnd({ connections }: { connections: readonly ProviderConnection[] }) {
  const before = useRef<readonly ProviderConnection[]>([]);
  useEffect(() => {
    const known = new Set(connections.map(({ id }) => id));
    const ended = before.current.find(({ id }) => !known.has(id));
    before.current = connections.filter(({ cleanup }) => cleanup !== undefined);
    if (ended) toasts.show('good', `${ended.label} is disconnected, and its token is forgotten.`);
  }, [connections]);
  return null;
}
