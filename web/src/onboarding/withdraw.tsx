import { Flex } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { ConsentService } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { consentsQuery, personCalendarsQuery } from './queries';

/** Takes the leave to see one's calendars back; `ofGoogle` when calendars there are among them. */
export function Withdraw({ ofGoogle }: { ofGoogle: boolean }) {
  const queries = useQueryClient();
  const { act, running } = useAction(ConsentService.method.withdrawConsent, {
    onDone: () => {
      void queries.invalidateQueries({ queryKey: consentsQuery().queryKey });
      void queries.invalidateQueries({ queryKey: personCalendarsQuery().queryKey });
      toasts.show('good', 'Frontdesk no longer sees which calendars you have.');
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'Your leave was not withdrawn.')),
  });
  return (
    <Flex direction="column" align="center" gap="1">
      <Button variant="quiet" loading={running} onClick={() => act({})}>
        Withdraw access
      </Button>
      <Muted fontSize="0.8125rem" textAlign="center">
        {ofGoogle
          ? 'Google calendars stay connected, but are neither read nor written until you allow it again.'
          : 'Calendars that are connected stay so.'}
      </Muted>
    </Flex>
  );
}
