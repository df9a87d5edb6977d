import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { upcomingText } from '../calendars/cleanup';
import { calendarsQuery } from '../calendars/queries';
import {
  type ProviderConnection,
  ProviderConnectionService,
  type ProviderRecord,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { messageOf } from '../http/errors';
import { CheckField } from '../ui/check-field';
import { ConfirmDialog } from '../ui/dialog';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { recordsQuery } from './queries';

type UnmapDialogProps = {
  businessId: string;
  connection: ProviderConnection;
  /** The employee there. */
  record: ProviderRecord;
  onClose: () => void;
};

/** Maps an employee of a booking system to none once that is confirmed, and cancels there what is to come if asked to. */
export function UnmapDialog({ businessId, connection, record, onClose }: UnmapDialogProps) {
  const queries = useQueryClient();
  const { kind, externalId, name, writtenCount } = record;
  const connectionId = connection.id;
  // The system may write to customers whose visit is cancelled there.
  const [cancels, setCancels] = useState(false);
  const { act, running } = useAction(ProviderConnectionService.method.mapProviderRecord, {
    onDone: () => {
      onClose();
      void queries.invalidateQueries({ queryKey: recordsQuery(businessId, connectionId).queryKey });
      void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
    },
    onRefused: (error) => {
      onClose();
      toasts.show('bad', messageOf(error, `${name} could not be mapped to none.`));
    },
  });
  return (
    <ConfirmDialog
      title={`Map ${name} to none?`}
      confirm="Map to none"
      keep="Keep the mapping"
      running={running}
      onConfirm={() => act({ businessId, connectionId, kind, externalId, mappedId: '', takeOut: cancels })}
      onClose={onClose}
    >
      <Text>What is booked for {name} there no longer keeps time free here.</Text>
      <CheckField
        label={`Cancel there the ${upcomingText(writtenCount)} that Frontdesk wrote`}
        checked={cancels}
        onChange={({ currentTarget }) => setCancels(currentTarget.checked)}
      />
      <Muted fontSize="0.875rem">
        {cancels
          ? `${connection.label} may write to customers whose visit is cancelled there. Past appointments stay. Until all are cancelled, ${name} can’t be mapped to another employee.`
          : 'They stay there, and no longer follow what is changed here.'}
      </Muted>
    </ConfirmDialog>
  );
}
