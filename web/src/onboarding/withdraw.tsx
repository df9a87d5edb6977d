import { Flex } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { upcomingText } from '../calendars/cleanup';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { type Consent, ConsentService } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { ConfirmDialog } from '../ui/dialog';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { consentsQuery, personCalendarsQuery } from './queries';

/** Withdraws the permission to see one's calendars; `ofGoogle` when calendars there are among them. */
export function Withdraw({ ofGoogle }: { ofGoogle: boolean }) {
  const consents = useQuery(consentsQuery()).data?.consents ?? [];
  const google = consents.find(({ kind, writtenCount }) => kind === CalendarKind.GOOGLE && writtenCount > 0);
  const [asking, setAsking] = useState(false);
  const { act, running } = useWithdraw({
    onDone: () => toasts.show('good', 'Frontdesk no longer sees which calendars you have.'),
  });
  return (
    <Flex direction="column" align="center" gap="1">
      <Button
        variant="quiet"
        loading={running}
        onClick={() => (google ? setAsking(true) : act({ takeOut: false }))}
      >
        Withdraw access
      </Button>
      <Muted fontSize="0.8125rem" textAlign="center">
        {ofGoogle
          ? 'Google calendars stay connected, but are neither read nor written until you allow it again.'
          : 'Calendars that are connected stay connected.'}
        {google && ' First you are asked what becomes of the appointments that Frontdesk wrote there.'}
      </Muted>
      {asking && google && <WithdrawDialog google={google} onClose={() => setAsking(false)} />}
    </Flex>
  );
}

/** Withdraws; what depends on it is read anew. */
export function useWithdraw({ onDone, onRefused }: { onDone: () => void; onRefused?: () => void }) {
  const queries = useQueryClient();
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: consentsQuery().queryKey });
    void queries.invalidateQueries({ queryKey: personCalendarsQuery().queryKey });
  };
  return useAction(ConsentService.method.withdrawConsent, {
    onDone: () => {
      refresh();
      onDone();
    },
    onRefused: (error) => {
      refresh();
      onRefused?.();
      toasts.show('bad', messageOf(error, 'Your permission was not withdrawn.'));
    },
  });
}

function WithdrawDialog({ google, onClose }: { google: Consent; onClose: () => void }) {
  const [takesOut, setTakesOut] = useState(true);
  const { act, running } = useWithdraw({
    onDone: () => {
      onClose();
      // While appointments are taken out, the page says how far that is, and that it is done.
      if (!takesOut) toasts.show('good', 'Frontdesk no longer sees which calendars you have.');
    },
    onRefused: onClose,
  });
  return (
    <ConfirmDialog
      title={`Withdraw access to ${google.account}?`}
      confirm="Withdraw access"
      keep="Keep access"
      running={running}
      onConfirm={() => act({ takeOut: takesOut })}
      onClose={onClose}
    >
      <Text>Frontdesk no longer sees which calendars you have.</Text>
      <CheckField
        label={`Take out the ${upcomingText(google.writtenCount)} that Frontdesk wrote`}
        checked={takesOut}
        onChange={({ currentTarget }) => setTakesOut(currentTarget.checked)}
      />
      <Muted fontSize="0.875rem">
        {takesOut
          ? 'Your Google calendars are disconnected in every salon, and access ends once all are taken out. Past ones stay there as its history.'
          : 'They stay there, with customers’ names. The calendars stay connected, but are neither read nor written until you allow it again.'}
      </Muted>
    </ConfirmDialog>
  );
}
