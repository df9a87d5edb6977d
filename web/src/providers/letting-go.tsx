import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { CleanupProgress } from '../calendars/cleanup-progress';
import { calendarsQuery } from '../calendars/queries';
import { CalendarService, type Cleanup } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import type { ProviderConnection, ProviderRecord } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { ScreenReaderOnly } from '../ui/text';
import { toasts } from '../ui/toasts';
import { recordsQuery } from './queries';

type LettingGoProps = {
  businessId: string;
  connection: ProviderConnection;
  /** The employee there, who was mapped to none. */
  record: ProviderRecord;
  cleanup: Cleanup;
};

/** How far cancelling appointments of an employee there is who was mapped to none, and the ways out of it. */
export function LettingGo({ businessId, connection, record, cleanup }: LettingGoProps) {
  const queries = useQueryClient();
  const { name, calendarId } = record;
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: recordsQuery(businessId, connection.id).queryKey });
    void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
  };
  const onRefused = (error: unknown) => {
    refresh();
    toasts.show('bad', messageOf(error, `${name} is as before.`));
  };
  const keep = useAction(CalendarService.method.keepCalendar, { onDone: refresh, onRefused });
  const end = useAction(CalendarService.method.disconnectCalendar, { onDone: refresh, onRefused });
  const busy = keep.running || end.running;
  const ofThis = <ScreenReaderOnly> for {name} there</ScreenReaderOnly>;
  return (
    <Stack gap="2" minWidth="14rem">
      <CleanupProgress what={`${connection.label} for ${name}`} cleanup={cleanup} />
      <Flex gap="2" wrap="wrap">
        {cleanup.fault && (
          <Button
            loading={end.running}
            disabled={busy}
            onClick={() => end.act({ businessId, calendarId, takeOut: true })}
          >
            Try again
            {ofThis}
          </Button>
        )}
        <Button loading={keep.running} disabled={busy} onClick={() => keep.act({ businessId, calendarId })}>
          Map again
          {ofThis}
        </Button>
        <Button
          variant="quiet"
          disabled={busy}
          onClick={() => end.act({ businessId, calendarId, takeOut: false })}
        >
          Leave {cleanup.leftCount === 1 ? 'it' : 'them'} there
          {ofThis}
        </Button>
      </Flex>
    </Stack>
  );
}
